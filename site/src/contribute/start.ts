import { stored } from '../client/storage.ts'
import { hasFirstTask } from '../first-task.ts'

const load = () => import('./open.tsx')

const textOf = (name: string): string => document.getElementById('contribute')?.dataset[name] ?? ''

async function begin(button: HTMLElement): Promise<void> {
  try {
    const { open } = await load()
    await open(button)
  } catch {
    const failed = document.createElement('p')
    failed.className = 'problem'
    failed.role = 'alert'
    button.after(failed)
    failed.textContent = textOf('failed')
    setTimeout(() => failed.remove(), 10_000)
  }
}

const buttonOf = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('button[data-contribute]') : null

/** For a signed-in user the forms are loaded in advance, so that they work offline. @param asked the action to start */
function settle(asked?: string): void {
  if (stored('account') !== null)
    void load().then(
      (forms) => forms.settle(asked),
      () => undefined,
    )
}

/** A button about the fountain of a card. */
function buttonFor(action: string, text: string, looks: string, id: number, name: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = looks
  Object.assign(button.dataset, { contribute: action, id, name })
  button.textContent = textOf(text)
  return button
}

/** All that visitors load who do not contribute: it loads the forms at the first tap on one of their buttons. */
export function offerForms(): void {
  let asked = location.hash.slice(1)
  document.addEventListener('click', (event) => {
    const button = buttonOf(event)
    if (button) void begin(button)
  })
  document.addEventListener('openfountain:card', ({ detail: { fountain, place } }) => {
    const { id } = fountain
    // An unsent fountain has no id on the server.
    if (id < 0) return
    const name = place.dataset['name'] ?? fountain.name
    const row = document.createElement('div')
    row.className = 'actions observe'
    for (const seen of ['works', 'problem'])
      row.append(buttonFor(seen, seen, 'button button-quiet', id, name))
    place.before(row)
    place.append(buttonFor('choose', 'improve', 'text-button', id, name))
    settle(asked)
    asked = ''
  })
  const [early] = (window.early ?? []).flatMap((event) =>
    event.type === 'click' ? (buttonOf(event) ?? []) : [],
  )
  const offering = document.querySelector<HTMLElement>(
    'button[data-contribute]:not([data-contribute=works],[data-contribute=problem])',
  )
  /** One of several report buttons, identified by the id in the address. */
  const named = document.getElementById(asked)
  const wanted =
    early ??
    (named?.dataset['contribute'] ? named : offering?.dataset['contribute'] === asked ? offering : undefined)
  if (hasFirstTask())
    void load().then(
      (forms) => forms.showFirstTask(),
      () => undefined,
    )
  if (wanted) void begin(wanted)
  if (wanted !== offering) settle()
}
