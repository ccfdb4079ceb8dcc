/**
 * Shows the members of a body in a table, with its JSON beside it. By default, Swagger UI shows either the JSON or a tree of
 * schemas, behind tabs.
 */
import { describeLimits, describeType, listMembers, mergeAllOf } from './schema.js'
import { joinParagraphs } from './spec.js'

/** The most members of a table that begins with all of them unfolded. */
const MAX_UNFOLDED = 20

export const membersPlugin = ({ React }) => {
  const h = React.createElement

  function MembersTable({ schema, isResponse, getComponent }) {
    const members = React.useMemo(() => listMembers(schema, isResponse), [schema, isResponse])
    const isUnfolded = React.useMemo(() => isShort(members, isResponse), [members, isResponse])
    /** The rows that are not as they were at the beginning. */
    const [toggled, setToggled] = React.useState(new Set())
    const isOpen = (path) => toggled.has(path) !== isUnfolded
    const toggle = (path) => setToggled(new Set(toggled).symmetricDifference(new Set([path])))
    const Markdown = getComponent('Markdown', true)

    const showRows = (members, parent = '', depth = 0) =>
      members.flatMap((member, index) => {
        const path = `${parent}/${index}`
        const nested = listMembers(member.schema, isResponse)
        const { description, deprecated } = mergeAllOf(member.schema)
        const button = { className: 'member-toggle', 'aria-expanded': isOpen(path), onClick: () => toggle(path) }
        const name = member.name === undefined ? h('em', null, member.note) : h('code', null, member.name)
        const row = h(
          'tr',
          { key: path },
          h(
            'th',
            { scope: 'row', style: { paddingInlineStart: `${depth}rem` } },
            nested.length > 0 ? h('button', button, name) : name,
            ' ',
            member.isRequired && h('span', { className: 'member-required' }, 'required '),
            deprecated && h('span', { className: 'member-deprecated' }, 'deprecated'),
          ),
          h('td', { className: 'parameter__type' }, describeType(member.schema)),
          h('td', null, h(Markdown, { source: joinParagraphs(description, describeLimits(member.schema)) })),
        )
        return [row, ...(nested.length > 0 && isOpen(path) ? showRows(nested, path, depth + 1) : [])]
      })

    const headings = ['Name', 'Type', 'Description'].map((text) => h('th', { key: text, scope: 'col' }, text))
    return (
      members.length > 0 &&
      h('table', null, h('thead', null, h('tr', null, headings)), h('tbody', null, showRows(members)))
    )
  }

  function Body({ schema, example, includeReadOnly: isResponse, getComponent }) {
    const plain = React.useMemo(() => schema?.toJS?.() ?? schema, [schema])
    const Markdown = getComponent('Markdown', true)
    const described = plain && mergeAllOf(plain)
    return h(
      'div',
      { className: 'body-columns' },
      plain &&
        h(
          'div',
          { className: 'members' },
          h('div', { className: 'parameter__type' }, describeType(plain)),
          h(Markdown, { source: joinParagraphs(described.description, describeLimits(plain)) }),
          h(MembersTable, { schema: plain, isResponse, getComponent }),
        ),
      example && h('div', { className: 'json' }, example),
    )
  }

  return {
    wrapComponents: {
      modelExample: () => (props) => h('div', { className: 'body' }, h(Body, props)),
    },
  }
}

/** True if there are at most MAX_UNFOLDED members, with those that are nested. It stops at the first one beyond. */
function isShort(members, isResponse) {
  let left = MAX_UNFOLDED
  const count = (nestedMembers) =>
    nestedMembers.every(({ schema }) => left-- > 0 && count(listMembers(schema, isResponse)))
  return count(members)
}
