# The service on the official image of Node, which runs TypeScript as it is: nothing is built.
#   docker build --tag animal-store .
#   docker run --init --read-only --publish 127.0.0.1:3000:3000 --volume animals:/data animal-store
ARG NODE=docker.io/library/node:26.10.0-bookworm-slim

FROM $NODE AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY src/openapi/package.json src/openapi/
# Node comes from the image (an optional package otherwise), which has the package libatomic1 that Node 26 needs. Source maps
# are for debuggers of the packages.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && find node_modules -name '*.map' -delete

FROM $NODE
ENV NODE_ENV=production HOST=0.0.0.0 DATABASE_URL=sqlite:/data/animal-store.db NODE_COMPILE_CACHE=/data/compile-cache
# A limit of the heap in MiB, for a container with 1 GiB.
ENV NODE_OPTIONS=--max-old-space-size=700
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY LICENSE package.json openapi.yaml ./
COPY generated generated
COPY scripts scripts
COPY src src
# The data folder is all that is written to. Its owner is the user that the image of Node has for this.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
# A service whose store is out of reach is alive: to start it again would not help. Load balancers ask /readyz/read.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-sigusr1", "src/main.ts"]
