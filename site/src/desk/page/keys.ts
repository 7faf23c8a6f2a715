import { desk, elementBy } from './config.ts'
import { element } from './element.ts'
import { newDialog, show } from './dialog.ts'

/** The keyboard shortcuts, in the order of their list. */
const listed = [
  ['j', 'next'],
  ['k', 'previous'],
  ['a', 'approve'],
  ['v', 'verify'],
  ['r', 'revert'],
  ['m', 'merge'],
  ['n', 'distinct'],
  ['b', 'block'],
  ['d', 'done'],
  ['x', 'dismiss'],
  ['u', 'undo'],
  ['?', 'help'],
] as const satisfies readonly (readonly [string, keyof typeof desk.key])[]

const stored = 'desk-keys'

/** Whether letter shortcuts are on: users of speech input may turn them off. */
function areOn(): boolean {
  try {
    return localStorage.getItem(stored) !== 'off'
  } catch {
    return true
  }
}

function turn(on: boolean): void {
  try {
    if (on) localStorage.removeItem(stored)
    else localStorage.setItem(stored, 'off')
  } catch {
    // Without storage they are on again after a reload.
  }
}

/** Calls back with each key pressed outside of fields and dialogs. `?` shows the list of keys. */
export function listenToKeys(press: (key: string) => void): void {
  elementBy('#desk-keys').addEventListener('click', () => void showKeys())
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (document.querySelector('dialog[open]')) return
    if (target instanceof HTMLElement && target.matches('input, textarea, select')) return
    if (key === '?') {
      event.preventDefault()
      void showKeys()
    } else if (areOn() && listed.some(([one]) => one === key)) {
      event.preventDefault()
      press(key)
    }
  })
}

async function showKeys(): Promise<void> {
  const dialog = newDialog()
  const list = element('dl', 'desk-key-list')
  for (const [key, name] of listed)
    list.append(
      element('div', '', element('dt', '', element('kbd', '', key)), element('dd', '', desk.key[name])),
    )
  const toggle = element('input')
  toggle.type = 'checkbox'
  toggle.checked = areOn()
  toggle.addEventListener('change', () => turn(toggle.checked))
  const form = element('form', 'desk-form')
  form.method = 'dialog'
  form.append(
    list,
    element('label', 'desk-check', toggle, element('span', '', desk.keysOn)),
    element('div', 'actions', element('button', 'button', desk.close)),
  )
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === '?') dialog.close()
  })
  await show(dialog, desk.keys, form)
}
