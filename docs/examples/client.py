# docs/examples/client.py
import http.client
import json
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import warnings

URL = os.environ.get("ANIMAL_STORE_URL", "http://127.0.0.1:3000/v1")
KEY = os.environ["ANIMAL_STORE_KEY"]
if not re.fullmatch("[A-Za-z0-9._~+/-]+=*", KEY):  # http.client would repeat the key in its error
    raise SystemExit("ANIMAL_STORE_KEY is not an API key: it is empty, or has a character that no key has")
TRANSIENT = {408, 409, 429, 500, 502, 503, 504}


class AnimalStoreError(Exception):
    def __init__(self, response):
        try:
            body = json.load(response)
        except ValueError:  # of a proxy
            body = {"code": "unexpected_response", "message": response.reason}
        super().__init__(body["message"])
        self.status, self.code = response.status, body["code"]
        self.request_id = response.headers["X-Request-Id"]


def warn_of_deprecation(method, url, headers):
    if headers["Deprecation"]:
        path = re.sub(r"/-?\d+$", "/{petId}", urllib.parse.urlsplit(url).path)
        warnings.warn(f"{method} {path} is deprecated and may be removed after {headers['Sunset']}")


def send(method, url, body=None, headers={}, attempts=5):
    """Sends a request, again after transient errors; returns the body and the headers of the response."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Authorization": f"Bearer {KEY}", **headers}, method=method)
    for attempt in range(1, attempts + 1):
        retry_after = 0
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                warn_of_deprecation(method, url, response.headers)
                return json.load(response), response.headers
        except urllib.error.HTTPError as error:
            warn_of_deprecation(method, url, error.headers)
            if attempt == attempts or error.status not in TRANSIENT:
                raise AnimalStoreError(error) from None
            retry_after = int(error.headers["Retry-After"] or 0)
        except (OSError, http.client.HTTPException):
            if attempt == attempts:
                raise
        time.sleep(retry_after + random.uniform(0.05, 0.1) * 2**attempt)


def add(pet):
    headers = {"Content-Type": "application/json", "Idempotency-Key": f'"{uuid.uuid4()}"'}
    return send("POST", f"{URL}/pets", pet, headers)[0]


def pets(**query):
    url = f"{URL}/pets?{urllib.parse.urlencode(query)}"
    while url:
        page, headers = send("GET", url)
        yield from page
        link = re.search(r'<([^>]*)>; rel="next"', headers["Link"] or "")
        url = link and urllib.parse.urljoin(url, link[1])


pet = add({"name": "Ada", "categoryId": 9007199254740993, "status": "pending"})
print("added", pet["id"], pet["categoryId"])

for pet in pets(status="pending", limit=1):
    print("listed", pet["id"], pet["name"])

try:
    send("GET", f"{URL}/pets/9223372036854775807")
except AnimalStoreError as error:
    print(error.status, error.code, error.request_id)
