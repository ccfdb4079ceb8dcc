-- What the program made of a store of version 1 when the tables had version 2, with an idempotency key of an animal.
CREATE TABLE retries (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  pet_id INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX retries_by_expiry ON retries (expires_at);
INSERT INTO retries VALUES ('shop', 'kept', X'3227FE6BDE46249B0AAE4B69EF6EFD806422A46788E281D050D32D0D9FBDE723', 2, 4102444800000);
PRAGMA user_version = 2;
