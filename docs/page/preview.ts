/**
 * Renders the documentation page as it is until Swagger UI is ready, and for readers without scripts: the introduction and
 * the operations, in Swagger UI's own markup, so that nothing moves when `page.js` replaces it. What it shows of an operation,
 * `page.js` shows too; test/docs/preview.test.ts compares them.
 */
import { getNamed, METHODS, type Method, type OpenApi, type OperationObject } from '../../src/openapi/index.ts'

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** Renders the part of the page up to the operations, as HTML. `contract` is the path of the spec's file. */
export function renderPreview(root: OpenApi, contract: string): string {
  const { title, version, summary, description = '', license } = root.info
  const [server] = root.servers ?? []
  const [introduction = '', ...rest] = description.split('\n\n')
  const headings = [...rest.join('\n\n').matchAll(/^\*\*(.+?)\.?\*\*/gm)].map(([, heading]) => heading).join(', ')
  return `<div id="preview" class="swagger-ui">
  <div class="information-container wrapper">
    <div class="info">
      <hgroup class="main"><h1 class="title">${escapeHtml(title)}
        <span><small><pre class="version"> ${escapeHtml(version)} </pre></small><small class="version-stamp"><pre class="version">OAS 3.1</pre></small></span>
      </h1></hgroup>
      ${summary === undefined ? '' : `<p class="info__summary">${escapeHtml(summary)}</p>`}
      <div class="description"><div class="renderedMarkdown"><p>${formatText(introduction)}</p></div></div>
      ${license === undefined ? '' : `<div class="info__license">${renderLicense(license)}</div>`}
    </div>
    <details class="conventions">
      <summary>${escapeHtml(['Conventions', headings].filter(Boolean).join(': '))}</summary>
      <div class="renderedMarkdown">${rest.map((text) => `<p>${formatText(text)}</p>`).join('')}</div>
    </details>
  </div>
  <div class="scheme-container"><div class="schemes wrapper">
    <p class="server">The contract is <a href="${escapeHtml(contract)}">openapi.yaml</a>.
      Requests go to <code>${escapeHtml(String(server?.url))}</code></p>
    ${root.components?.securitySchemes === undefined ? '' : '<button class="btn authorize" disabled><span>Authorize</span></button>'}
  </div></div>
  <main class="wrapper">${[...groupByTag(root)].map(([tag, operations]) => renderTag(root, tag, operations)).join('')}</main>
</div>
`
}

function renderLicense({
  name,
  identifier,
  url = identifier && `https://spdx.org/licenses/${identifier}.html`,
}: License) {
  return url === undefined ? escapeHtml(name) : `<a class="link" href="${escapeHtml(url)}">${escapeHtml(name)}</a>`
}

/** Replaces what is markup in HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

type License = NonNullable<OpenApi['info']['license']>

interface Found {
  readonly path: string
  readonly method: Method
  readonly operation: OperationObject
}

/** Groups the operations in Swagger UI's order: the declared tags first, and an operation in each of its tags. */
function groupByTag({ tags = [], paths }: OpenApi): Map<string, Found[]> {
  const groups = new Map<string, Found[]>(tags.map(({ name }) => [name, []]))
  for (const [path, item] of getNamed(paths)) {
    for (const [key, operation] of Object.entries(item)) {
      const method = METHODS.find((each) => each === key)
      if (method === undefined) continue
      for (const tag of operation.tags?.length ? operation.tags : ['default']) {
        groups.set(tag, [...(groups.get(tag) ?? []), { path, method, operation }])
      }
    }
  }
  return groups
}

function renderTag({ tags = [] }: OpenApi, tag: string, operations: readonly Found[]): string {
  const { description } = tags.find(({ name }) => name === tag) ?? {}
  const about = description && `<small><div class="renderedMarkdown"><p>${formatText(description)}</p></div></small>`
  return `<h3 class="opblock-tag"><span>${escapeHtml(tag)}</span>${about ?? '<small></small>'}</h3>
    ${operations.map((each) => renderOperation(tag, each)).join('')}`
}

/** Renders an operation as a link that unfolds it when Swagger UI is ready. */
function renderOperation(tag: string, { path, method, operation }: Found): string {
  const { operationId, summary = '', deprecated, 'x-sunset': sunset, 'x-stability-level': level = 'stable' } = operation
  const badge = sunset === undefined ? 'deprecated' : `deprecated, until ${formatDate(sunset)}`
  const suffix = deprecated ? '__deprecated' : ''
  return `<div class="opblock opblock-${deprecated ? 'deprecated' : method}"><div class="opblock-summary">
      <a class="opblock-summary-control" href="#/${encodeURIComponent(tag)}/${encodeURIComponent(operationId)}">
        <span class="opblock-summary-method">${method.toUpperCase()}</span>
        <div class="opblock-summary-path-description-wrapper">
          <span class="opblock-summary-path${suffix}"><span>${escapeHtml(path).replaceAll(/(?<=.)\//g, '<wbr>/')}</span></span>
          ${deprecated ? `<span class="badge deprecated">${badge}</span>` : ''}
          <span class="badge ${level}">${level}</span>
          <div class="opblock-summary-description">${escapeHtml(summary)}</div>
        </div>
        <span class="opblock-summary-operation-id">${escapeHtml(operationId)}</span>
      </a>
    </div></div>`
}

/** Formats code, strong text and bare URLs; other Markdown stays as it is. */
function formatText(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/&#60;(https?:.+?)&#62;/g, '<a href="$1">$1</a>')
}

/** Formats a date without `Intl`, which would take 7 MB of memory. */
function formatDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number)
  return `${day} ${MONTHS[Number(month) - 1]} ${year}`
}
