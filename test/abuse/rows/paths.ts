/** Paths that there are not, and methods that a path does not have. */
import { createContract, undeclaredMethod } from '../../helpers/contract.ts'
import { spec } from '../../helpers/service.ts'
import { get, invalid, JSON_TYPE, KEY, message, refused, request, type WrongRequest, withBody } from './row.ts'

const { allow, missing } = createContract(spec)
const [other = undeclaredMethod] = missing('/v1/pets')
const none = [404, 'not_found', /^no route for [A-Z-]+ /] as const

/** Requests with methods that no operation of the path has. */
function notAllowed(path: string, requests: Readonly<Record<string, string>>): WrongRequest[] {
  const message = `this path supports only ${allow(path)}`
  return refused('RFC 9110, section 15.5.6', [405, 'method_not_allowed', message], requests)
}

export const paths = [
  ...refused('#/paths', none, {
    'a path that would be no pattern of a route': get('/v1/pets*/'),
    'a path with a colon and a parenthesis': get('/pets:('),
    'a path in other letters': get('/v1/Pets'),
    'a path without the base path': get('/pets'),
    'a path with a slash at its end': get('/v1/pets/'),
    'the path of an animal with a slash at its end': get('/v1/pets/1/'),
    'a path with a doubled slash at its beginning': get('//v1/pets'),
    'a path with a parameter in it': get('/v1/pets;a=b'),
    'a path with a doubled slash before an id': get('/v1/pets//1'),
    'a path below an animal': get('/v1/pets/1/nothing'),
    'a path that leaves the root': get('/../../etc/passwd'),
    'a path that leaves the docs': get('/docs/static/../../package.json'),
    'a path that leaves the docs in escapes': get('/docs/static/%2e%2e%2f%2e%2e%2fpackage.json'),
    'a path with an escaped slash': get('/v1%2Fpets'),
    'a path with a backslash': get('/v1\\pets'),
    'a path with an escaped question mark': get('/v1/pets%3Flimit=5'),
    'a path of 2,000 slashes': get('/'.repeat(2000)),
    'a path with an address in it': get('/http://example.com/v1/pets'),
  }),
  ...refused('RFC 9112, section 3.2.2', none, {
    'a path that there is not in an address': get('http://x/nothing'),
  }),
  ...refused('#/paths', [404, 'not_found', /^no route for GET \/v1\/\[redacted\]…?$/], {
    'a key as a path': get(`/v1/${KEY}`),
  }),
  ...refused('#/paths', [404, 'not_found', /^no route for [A-Z-]+ \/nothing$/], {
    'a path that there is not, with a query': get(`/nothing?access_token=${KEY}`),
    'another method to a path that there is not': request('DELETE /nothing HTTP/1.1'),
    'a malformed body to a path that there is not': withBody('POST /nothing HTTP/1.1', '{,}', JSON_TYPE),
    'a large body to a path that there is not': withBody('POST /nothing HTTP/1.1', 'x'.repeat(2_000_000), JSON_TYPE),
    'a wrong media type to a path that there is not': withBody('PUT /nothing HTTP/1.1', 'x', 'Content-Type: junk'),
    'options of a path that there is not': request('OPTIONS /nothing HTTP/1.1'),
  }),
  ...refused('#/paths', [404, 'not_found', `no route for GET /${'x'.repeat(49)}…`], {
    'a path of 5,000 letters': get(`/${'x'.repeat(5000)}`),
  }),
  ...refused('RFC 3986, section 2.1', invalid('the request target must be a path whose percent-encodings are valid'), {
    'a path with half an escape': get('/v1/pets/%'),
    'a path with an escape of other letters': get('/v1/pets/%zz'),
    'a path with escapes that are no UTF-8': get('/v1/pets/%ff'),
    'a path with an escaped surrogate': get('/v1/pets/%ed%a0%80'),
    'a base path with escapes that are no UTF-8': get('/v1%ff/pets'),
  }),
  ...refused('RFC 9112, section 3.2', invalid(/^the request target must be a path/), {
    'a fragment': get('/v1/pets#limit=5'),
    'a fragment behind a query': get('/v1/pets?limit=5#x'),
    'an asterisk': get('*'),
    'an address with a user': get('http://user:password@x/v1/pets'),
    'an address with a key for a user': get(`http://${KEY}@x/v1/pets`),
    'an address without a host, with a query': get('http://?/v1/pets'),
    'an address with a fragment behind a query': get('http://x?/v1/pets#'),
    'an address without a host': get('http:///v1/pets'),
    'half an escape in a fragment': get('/v1/pets/1#%'),
    'half an escape in a fragment, behind a path without the method': request('POST /v1/pets/1#% HTTP/1.1'),
    'an address of another scheme': get('ftp://x/v1/pets'),
  }),
  ...notAllowed('/v1/pets', {
    'to ask for options as a browser does': message(
      'OPTIONS /v1/pets HTTP/1.1',
      'Host: x',
      'Origin: http://localhost',
      'Access-Control-Request-Method: POST',
    ),
    'another method with a wrong media type': withBody(`${other} /v1/pets HTTP/1.1`, 'x', 'Content-Type: junk'),
    'to override the method': request(`${other} /v1/pets HTTP/1.1`, 'X-HTTP-Method-Override: GET'),
  }),
  ...notAllowed('/v1/pets/abc', {
    'another method on what is no animal': request(`${undeclaredMethod} /v1/pets/abc HTTP/1.1`),
  }),
  ...refused('RFC 9110, section 9.3.7', [404, 'not_found', 'no route for OPTIONS *'], {
    'to ask for options of the server as such': request('OPTIONS * HTTP/1.1'),
  }),
]
