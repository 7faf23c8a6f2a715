import { element } from '../../../map/card/markup.ts'
import type { Submission } from '../submission.ts'
import { outbox } from '../outbox.ts'
import type { Wording } from '../words.ts'
import { button, isAgreed } from './dialog.ts'
import { rows } from './rows.ts'
import { pageAddress } from './setting.ts'
import { needsDecision } from './wording.ts'

/** The content of the panel. */
export interface PanelContent {
  readonly wording: Wording
  readonly submissions: readonly Submission[]
  /** The number of stored submissions of other accounts. */
  readonly others: number
}

/** The stored submissions, the reason they wait, and their buttons. */
export function panelContent({ wording, submissions, others }: PanelContent): HTMLElement[] {
  const { words, format } = wording
  const { outbox: text, account } = words
  const notes = whyWaiting(wording, submissions)
  return [
    ...(submissions.length === 0
      ? []
      : [...notes, element('ul', { class: 'outbox-list' }, ...rows(wording, submissions))]),
    ...(others === 0
      ? []
      : [
          element(
            'div',
            { class: 'outbox-note', 'data-others': true },
            element('p', {}, format.count(text.others, others)),
            element(
              'div',
              { class: 'actions' },
              element(
                'a',
                { class: 'button button-quiet outbox-small', href: pageAddress('sign-in/') },
                account.signIn,
              ),
              button(text.discard, () => void discardOthers(wording, others), { quiet: true, small: true }),
            ),
          ),
        ]),
  ]
}

function whyWaiting({ words }: Wording, submissions: readonly Submission[]): HTMLElement[] {
  const { outbox: text, account } = words
  if (!submissions.some(({ state }) => state === 'waiting')) return []
  if (!navigator.onLine) return [element('p', { class: 'outbox-note' }, text.offline)]
  switch (outbox().last?.state) {
    case 'later':
      return [
        element(
          'div',
          { class: 'outbox-note' },
          element('p', {}, text.busy),
          element(
            'div',
            { class: 'actions' },
            button(text.now, () => void outbox().flush(), { quiet: true, small: true }),
          ),
        ),
      ]
    case 'signed out':
      return [
        element(
          'div',
          { class: 'outbox-note' },
          element('p', {}, text.signedOut),
          element(
            'div',
            { class: 'actions' },
            element('a', { class: 'button outbox-small', href: pageAddress('sign-in/') }, account.signIn),
          ),
        ),
      ]
    default:
      return []
  }
}

async function discardOthers({ words, format }: Wording, others: number): Promise<void> {
  const { outbox: text, account } = words
  if (await isAgreed(format.count(text.discardAsk, others), text.discard, account.cancel))
    await outbox().forget('others')
}

const arrow =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" ' +
  'stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class="icon" aria-hidden="true">' +
  '<path d="M12 13v8"/><path d="M4 14.900A7 7 0 1 1 15.710 8h1.790a4.500 4.500 0 0 1 2.500 8.242"/><path d="m8 17 4-4 4 4"/></svg>'

/**
 * The menu in the header that opens the queue, with the number of its submissions. It is shown only while submissions
 * are stored.
 */
export class HeaderPanel {
  readonly #menu: HTMLDetailsElement
  readonly #summary: HTMLElement
  readonly #count = element('span', { class: 'outbox-count' })
  readonly #body: HTMLElement
  readonly #status: HTMLElement

  constructor(before: Element) {
    const cloud = new DOMParser().parseFromString(arrow, 'image/svg+xml').documentElement
    this.#summary = element('summary', {}, document.importNode(cloud, true), this.#count)
    this.#body = element('div', { class: 'menu-body outbox-panel' })
    this.#menu = element(
      'details',
      { class: 'menu menu-outbox', name: 'header-menu', hidden: true },
      this.#summary,
      this.#body,
    )
    this.#status = element('p', { class: 'visually-hidden', role: 'status' })
    before.before(this.#menu)
    document.body.append(this.#status)
    document.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape' || !this.#menu.open || document.querySelector('dialog[open]')) return
      this.#menu.open = false
      this.#summary.focus()
    })
    document.addEventListener('click', ({ target }) => {
      // A clicked row may have been redrawn meanwhile.
      const isOutside =
        target instanceof Element && target.isConnected && !target.closest('.menu-outbox, dialog')
      if (isOutside) this.#menu.open = false
    })
  }

  show({ wording, submissions, others }: PanelContent): void {
    const { words, format } = wording
    const { outbox: text } = words
    const n = submissions.length + others
    const hadFocus = this.#body.contains(document.activeElement)
    this.#menu.hidden = n === 0
    this.#menu.dataset['state'] = submissions.some(needsDecision) ? 'decide' : 'wait'
    this.#count.textContent = format.number(n)
    this.#summary.ariaLabel = format.count(text.count, n)
    this.#body.replaceChildren(
      element('h2', { class: 'outbox-title', tabindex: '-1' }, text.title),
      element('p', { class: 'faint' }, text.lead),
      ...panelContent({ wording, submissions, others }),
      element(
        'p',
        {},
        element('a', { href: pageAddress('contributions/'), class: 'outbox-link' }, text.contributions.title),
      ),
    )
    // The row that had the focus may be gone.
    if (hadFocus)
      (n === 0
        ? document.querySelector<HTMLElement>('#account-link')
        : this.#body.querySelector('h2')
      )?.focus()
    if (n === 0) this.#menu.open = false
  }

  /** Has a change read out. */
  say(text: string): void {
    this.#status.textContent = text
  }
}
