/** Gives the parts of the page names, headings and landmarks, and keeps the focus in the dialogue. */

export const accessibilityPlugin = ({ React }) => {
  const h = React.createElement
  const label = (name, control) => h('label', null, h('span', { className: 'label-text' }, name), control)

  return {
    wrapComponents: {
      // By default, the introduction is in no landmark, and no heading is between the title and the headings of the tags.
      InfoContainer: (Original) => (props) => h('section', { 'aria-label': 'Introduction' }, h(Original, props)),
      operations: (Original) => (props) => [
        h('h2', { key: 'heading', className: 'label-text' }, 'Operations'),
        h(Original, { ...props, key: 'operations' }),
      ],
      // By default, a heading of the fourth level, beside headings of the second.
      Models: (Original) => (props) => {
        const models = React.useRef()
        React.useEffect(() => models.current.querySelector('h4')?.setAttribute('aria-level', '2'))
        return h('div', { ref: models }, h(Original, props))
      },
      // By default, the rest of the page can be reached behind the dialogue.
      authorizationPopup:
        (Original, { authActions }) =>
        (props) => {
          const dialog = React.useRef()
          React.useLayoutEffect(() => {
            const { current } = dialog
            current.showModal()
            current.querySelector('input')?.focus()
            return () => current.close()
          }, [])
          const onCancel = () => authActions.showDefinitions(false)
          // From the last element to the first, not to the browser's own controls.
          const onKeyDown = (event) => {
            const controls = Array.from(dialog.current.querySelectorAll('a[href], button, input'))
            const [last, next] = event.shiftKey ? [controls[0], controls.at(-1)] : [controls.at(-1), controls[0]]
            if (event.key !== 'Tab' || event.target !== last) return
            event.preventDefault()
            next.focus()
          }
          return h('dialog', { ref: dialog, 'aria-label': 'Authorize', onCancel, onKeyDown }, h(Original, props))
        },
      // By default, lists, choices and files have no name, and only the tooltip says what is wrong.
      JsonSchemaForm: (Original) => (props) => {
        const form = React.useRef()
        React.useEffect(() => {
          for (const field of form.current.querySelectorAll('input, select')) {
            if (field.labels.length === 0) field.ariaLabel ??= props.description ?? 'Value'
          }
        })
        const errors = props.errors?.toJS?.() ?? props.errors ?? []
        const text = errors.map((each) => (typeof each === 'string' ? each : `${each.propKey}: ${each.error}`))
        return [
          h('div', { key: 'form', ref: form }, h(Original, props)),
          text.length > 0 && h('p', { key: 'text', className: 'invalid-text', role: 'alert' }, `${text.join('. ')}.`),
        ]
      },
      // The text of a button is its name, for those who see it and those who hear it.
      Button: (Original) => (props) => {
        const name = props['aria-label'] === 'Remove authorization' ? 'Log out' : props['aria-label']
        return h(Original, { ...props, 'aria-label': name, children: name ?? props.children })
      },
      CloseIcon: (Original) => (props) => [
        h(Original, { ...props, key: 'icon' }),
        h('span', { key: 'name', className: 'label-text' }, 'Close'),
      ],
      ExamplesSelect: (Original) => (props) => label('Example', h(Original, props)),
      TextArea: (Original) => (props) => h(Original, { 'aria-label': 'Request body', ...props }),
    },
  }
}
