import { useState } from 'preact/hooks'
import { store, stored } from '../../client/storage.ts'
import { Button } from '../../ui/button.tsx'
import { inDialog } from './ask.tsx'
import { desk } from './config.ts'

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

const choice = 'desk-keys'

/** Whether letter shortcuts are on: users of speech input may turn them off. */
const areOn = (): boolean => stored(choice) !== 'off'

/** Calls back with each key pressed outside of fields and dialogs. `?` shows the list of keys. */
export function listenToKeys(press: (key: string) => void): void {
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (document.querySelector('dialog[open]')) return
    // A dialog that was just closed may have the focus for a moment.
    const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select')
    if (isTyping && !target.closest('dialog:not([open])')) return
    const isShortcut = key === '?' || (areOn() && listed.some(([one]) => one === key))
    if (!isShortcut) return
    event.preventDefault()
    if (key === '?') void showKeys()
    else press(key)
  })
}

/** Shows the list of keys, with a choice to turn them off. */
export const showKeys = (): Promise<void> => inDialog(desk.keys, (close) => <Keys close={close} />)

function Keys({ close }: { readonly close: () => void }) {
  const [isOn, setOn] = useState(areOn)
  function closeBy(event: KeyboardEvent): void {
    if (event.key !== '?') return
    // The page would open it again.
    event.preventDefault()
    close()
  }
  return (
    <div class="stack-4" onKeyDown={closeBy}>
      <dl class="stack-2 pairs">
        {listed.map(([key, name]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{desk.key[name]}</dd>
          </div>
        ))}
      </dl>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOn}
          onChange={() => {
            store(choice, isOn ? 'off' : undefined)
            setOn(!isOn)
          }}
        />
        <span>{desk.keysOn}</span>
      </label>
      <div class="actions">
        <Button onPress={close} text={desk.close} />
      </div>
    </div>
  )
}
