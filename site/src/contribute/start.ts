import { stored } from '../client/storage.ts'
import type { FountainAction } from './offer.tsx'

const load = () => import('./open.ts')

/** A text of the page for these buttons. */
const textOf = (name: string): string => document.getElementById('contribute')?.dataset[name] ?? ''

async function begin(button: HTMLElement): Promise<void> {
  try {
    const { open } = await load()
    await open(button.dataset['contribute'] as FountainAction, button)
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

const isKnown = (): boolean => stored('account') !== null

/** A button about the fountain of a card. */
function buttonFor(
  action: 'choose' | 'works' | 'problem',
  text: string,
  looks: string,
  fountain: { readonly id: number; readonly name: string },
): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = looks
  Object.assign(button.dataset, { contribute: action, id: fountain.id, name: fountain.name })
  button.textContent = textOf(text)
  return button
}

/**
 * All that visitors load who do not contribute: it loads the forms at the first tap on one of their buttons. For a
 * signed-in user it loads them in advance, so that they work offline.
 */
export function offerForms(): void {
  // The action in the address, such as `#add` after sign-in; run once.
  let asked = location.hash.slice(1)
  document.addEventListener('click', (event) => {
    const button = buttonOf(event)
    if (button) void begin(button)
  })
  document.addEventListener('openfountain:card', ({ detail: { fountain, place } }) => {
    const { id } = fountain
    // An unsent fountain has no id on the server.
    if (id > 0) {
      const row = document.createElement('div')
      row.className = 'actions observe'
      for (const seen of ['works', 'problem'] as const)
        row.append(buttonFor(seen, seen, 'button button-quiet', fountain))
      place.before(row)
    }
    if (isKnown()) {
      const action = asked
      asked = ''
      void load().then(
        ({ offerFountain }) => offerFountain(fountain, place, action),
        () => undefined,
      )
      return
    }
    const name = place.dataset['name'] ?? fountain.name
    place.append(buttonFor('choose', 'improve', 'text-button', { id, name }))
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
  if (wanted) void begin(wanted)
  if (wanted !== offering && isKnown())
    void load().then(
      ({ settle }) => settle(),
      () => undefined,
    )
}
