-- A store as 8350911 made it: tables of version 3, four keys, the first of them without scopes, and an animal.
CREATE TABLE animal_store AS SELECT 3 AS version;
CREATE SEQUENCE pet_ids AS bigint;
CREATE TABLE pets (
  id bigint PRIMARY KEY DEFAULT nextval('pet_ids'),
  name text NOT NULL,
  category_id bigint NOT NULL,
  status text NOT NULL
);
ALTER SEQUENCE pet_ids OWNED BY pets.id;
CREATE INDEX pets_by_status ON pets (status, id);
CREATE TABLE keys (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  scopes text[],
  expires_at timestamptz
);
CREATE UNIQUE INDEX active_keys ON keys (name) WHERE revoked_at IS NULL;
CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  pet_id bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
INSERT INTO keys (name, hash, created_at, scopes) VALUES
  ('everything', '\x25bf54bbd1d33ba973bf40c33780f22244f97945ae1939ee6df5cf962c4dd38a', '2026-11-28T00:40:50Z', NULL),
  ('reader', '\xa4713e2884728a1d7b36f7fea005131189b0d6c60b84147b6fda458cf19a04f6', '2026-11-28T00:40:50Z', '{pets:read}'),
  ('writer', '\x5464dd2691715baf0bef9811d9c0fcf4cd08158554d4e3a7945d48c756046db5', '2026-11-28T00:40:50Z', '{pets:write}'),
  ('both', '\xc37bbed86d635681d6fba60e55d12cc5505cbc54ebf37c7ea86168b765685474', '2026-11-28T00:40:50Z',
    '{pets:read,pets:write}');
INSERT INTO pets (name, category_id, status) VALUES ('Rex', 1, 'available');
