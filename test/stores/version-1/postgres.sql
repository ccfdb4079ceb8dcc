-- A PostgreSQL store as version 1 of the tables had it.
CREATE TABLE animal_store AS SELECT 1 AS version;
CREATE SEQUENCE pet_ids AS bigint;
CREATE TABLE pets (
  id bigint PRIMARY KEY DEFAULT nextval('pet_ids'),
  name text NOT NULL,
  category_id bigint NOT NULL,
  status text NOT NULL
);
ALTER SEQUENCE pet_ids OWNED BY pets.id;
INSERT INTO pets (name, category_id, status) VALUES ('Rex', 1, 'available');
INSERT INTO pets (name, category_id, status) VALUES ('🐕 Łaika', -9223372036854775808, 'sold');
INSERT INTO pets (name, category_id, status) VALUES ('O''Malley', 9223372036854775807, 'pending');
CREATE INDEX pets_by_status ON pets (status, id);
CREATE TABLE keys (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE UNIQUE INDEX keys_in_force ON keys (name) WHERE revoked_at IS NULL;
INSERT INTO keys (name, hash, created_at, revoked_at) VALUES
  ('ops', '\xa92c36e66a25ee99ff862faa8e87987be6c7cd13c3ee661c400a45b0f1e3b132', '2026-11-20T22:05:20.524Z', '2026-11-20T22:05:20.524Z'),
  ('shop', '\x8d9001d32c6a703d95921a77115050f33dd823d3f1730bd35215dcbecad6dc20', '2026-11-20T22:05:20.524Z', NULL);
