import { useState } from 'preact/hooks'
import { store, stored } from '../../client/storage.ts'
import { Button } from '../../ui/button.tsx'
import { inDialog, isSending } from './act.tsx'
import { desk } from './config.ts'

export const keys = {
  next: 'j',
  previous: 'k',
  approve: 'a',
  verify: 'v',
  revert: 'r',
  merge: 'm',
  distinct: 'n',
  block: 'b',
  done: 'd',
  dismiss: 'x',
  select: 's',
  many: 'c',
  undo: 'u',
  help: '?',
} as const satisfies Readonly<Record<keyof typeof desk.key, string>>

const listed = Object.entries(keys) as readonly (readonly [keyof typeof keys, string])[]

const choice = 'desk-keys'

/** Whether letter shortcuts are on: users of speech input may turn them off. */
const areOn = (): boolean => stored(choice) !== 'off'

/** Calls back with each key pressed outside of fields and dialogs. `?` shows the list of keys. */
export function listenToKeys(press: (key: string) => void): void {
  document.addEventListener('keydown', (event) => {
    const { target } = event
    // With caps lock on, the same key is another letter.
    const key = event.key.toLowerCase()
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    // A key that is held moves on, but decides once.
    if (event.repeat && key !== keys.next && key !== keys.previous) return
    if (document.querySelector('dialog[open]') && !isSending()) return
    // A dialog that is being sent, or was just closed, may have the focus for a moment.
    const isTyping =
      target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select')
    if (isTyping && !target.closest('dialog')) return
    if (key !== keys.help && !(areOn() && listed.some(([, one]) => one === key))) return
    event.preventDefault()
    if (key === keys.help) void showKeys()
    else press(key)
  })
}

export const showKeys = (): Promise<void> => inDialog(desk.keys, (close) => <Keys close={close} />)

function Keys({ close }: { readonly close: () => void }) {
  const [isOn, setOn] = useState(areOn)
  function closeBy(event: KeyboardEvent): void {
    if (event.key !== keys.help) return
    // The page would open it again.
    event.preventDefault()
    close()
  }
  return (
    <div class="stack-4" onKeyDown={closeBy}>
      <dl class="stack-2 pairs">
        {listed.map(([name, key]) => (
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
