-- A store as 8350911 made it: tables of version 3, four keys, the first of them without scopes, and an animal.
BEGIN;
CREATE TABLE pets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL,
  status TEXT NOT NULL
) STRICT;
CREATE INDEX pets_by_status ON pets (status, id);
CREATE TABLE keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  scopes TEXT,
  expires_at INTEGER
) STRICT;
CREATE UNIQUE INDEX active_keys ON keys (name) WHERE revoked_at IS NULL;
CREATE TABLE idempotency_keys (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  pet_id INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
PRAGMA application_id = 1095650636;
PRAGMA user_version = 3;
INSERT INTO keys VALUES
  (1, 'everything', X'25bf54bbd1d33ba973bf40c33780f22244f97945ae1939ee6df5cf962c4dd38a', 1795826643117, NULL, NULL, NULL),
  (2, 'reader', X'a4713e2884728a1d7b36f7fea005131189b0d6c60b84147b6fda458cf19a04f6', 1795826643124, NULL, 'pets:read', NULL),
  (3, 'writer', X'5464dd2691715baf0bef9811d9c0fcf4cd08158554d4e3a7945d48c756046db5', 1795826643135, NULL, 'pets:write', NULL),
  (4, 'both', X'c37bbed86d635681d6fba60e55d12cc5505cbc54ebf37c7ea86168b765685474', 1795826643137, NULL,
    'pets:read pets:write', NULL);
INSERT INTO pets VALUES (1, 'Rex', 1, 'available');
COMMIT;
