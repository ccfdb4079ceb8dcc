/** docs/kubernetes.yaml has the paths, ports and times of the service. */
import { parseEnv } from 'node:util'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config.ts'
import { HEALTH_PATHS } from '../../src/http/health.ts'
import { readPage } from './pages.ts'

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}
interface Setting {
  readonly name: string
  readonly value?: string
}

const dockerfile = readPage('Dockerfile')
const [deployment, service, budget] = parseAllDocuments(readPage('docs/kubernetes.yaml')).map((part) => part.toJS())
const { spec: pod, metadata } = deployment.spec.template
const [container] = pod.containers
const environment: Record<string, string | undefined> = Object.fromEntries(
  container.env.map(({ name, value }: Setting) => [name, value]),
)
const config = loadConfig({ ...environment, DATABASE_URL: 'postgres://USER:PASSWORD@HOST/animals' }, ['base_url'])
const ports = new Map<string, number>(
  container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [name, containerPort]),
)

t.test('the variables of the Deployment are variables of the configuration', async (t) => {
  const variables = Object.keys(parseEnv(readPage('.env.example')))
  for (const name of Object.keys(environment)) t.ok(variables.includes(name), name)
  t.equal(new URL(String(config.servers.base_url)).pathname, '/v1')
})

t.test('its ports are those on which the service listens', async (t) => {
  t.equal(ports.get('http'), config.port)
  t.equal(ports.get('metrics'), config.metricsPort)
  t.equal(config.metricsHost, '0.0.0.0')
  t.equal(metadata.annotations['prometheus.io/port'], String(config.metricsPort))
  t.equal(service.spec.ports[0].targetPort, 'http')
})

t.test('its probes ask health paths: a store that is out of reach restarts no process', async (t) => {
  const probes: Record<string, Probe> = { live: container.livenessProbe, start: container.startupProbe }
  for (const { httpGet } of [...Object.values(probes), container.readinessProbe]) {
    t.ok(HEALTH_PATHS.includes(httpGet.path), httpGet.path)
    t.equal(httpGet.port, 'http')
  }
  for (const [name, { httpGet }] of Object.entries(probes)) t.equal(httpGet.path, '/livez', name)
  t.equal(container.readinessProbe.httpGet.path, '/readyz/read')
})

t.test('a Pod is killed after its graceful shutdown at the earliest', async (t) => {
  t.ok(pod.terminationGracePeriodSeconds * 1000 >= config.stopDelay + config.requestTimeout + 5000)
  t.ok(config.stopDelay > 0)
  t.notOk(container.lifecycle, 'a preStop hook would delay the stop signal, and STOP_DELAY does its work')
  t.equal(pod.shareProcessNamespace, true, 'as process 1, Node ignores a stop signal until it has loaded')
})

t.test('a new version and a drained node leave an instance that serves', async (t) => {
  t.match(deployment.spec, { replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0 } } })
  t.ok(budget.spec.minAvailable < deployment.spec.replicas)
  for (const selector of [deployment.spec.selector, budget.spec.selector]) t.same(selector.matchLabels, metadata.labels)
  t.same(service.spec.selector, metadata.labels)
})

t.test(
  'the container writes to /data alone, as the user of the image, and has memory for the heap of Node',
  async (t) => {
    t.same(container.volumeMounts, [{ name: pod.volumes[0].name, mountPath: '/data' }])
    t.match(dockerfile, '\nVOLUME /data\nUSER node\n')
    // The image of Node gives its user "node" this id.
    t.match(pod.securityContext, { runAsNonRoot: true, runAsUser: 1000 })
    t.match(container.securityContext, { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
    t.equal(container.resources.limits.memory, '1Gi')
    const heap = Number(/--max-old-space-size=(\d+)/.exec(dockerfile)?.[1])
    t.ok(heap > 0 && heap < 1024)
  },
)

t.test('every image has a fixed version', async (t) => {
  const compose = parse(readPage('compose.yaml'), { merge: true })
  const images: string[] = [
    /^ARG NODE=(.+)$/m.exec(dockerfile)?.[1],
    compose.services.proxy.image,
    compose.services.postgres.image,
    container.image,
  ].map(String)
  for (const image of images) t.match(image, /:\d+\.\d+(\.\d+)?(-[\w-]+)?$/, image)
})
