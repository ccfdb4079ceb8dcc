-- What the program made of a store of version 1 when the tables had version 2, with an idempotency key of an animal.
CREATE TABLE retries (
  scope text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  pet_id bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX retries_by_expiry ON retries (expires_at);
INSERT INTO retries VALUES ('shop', 'kept', '\x3227fe6bde46249b0aae4b69ef6efd806422a46788e281d050d32d0d9fbde723', 2, '2100-01-01');
UPDATE animal_store SET version = 2;
