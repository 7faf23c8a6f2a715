import { Button } from '../../../ui/button.tsx'
import { isAgreed } from '../../../ui/dialog.tsx'
import { placed } from '../../../views/placed.ts'
import type { Submission } from '../submission.ts'
import { outbox } from '../outbox.ts'
import type { Wording } from '../words.ts'
import { SubmissionRow } from './rows.tsx'
import { pageAddress } from './setting.ts'
import { needsDecision } from './wording.ts'

/** The stored submissions. */
export interface Waiting {
  readonly wording: Wording
  readonly submissions: readonly Submission[]
  /** The number of stored submissions of other accounts. */
  readonly others: number
}

/** The stored submissions, the reason they wait, and their buttons. */
export function WaitingList({ wording, submissions, others }: Waiting) {
  const { words, format } = wording
  const { outbox: text, account } = words
  return (
    <>
      {submissions.length > 0 && (
        <>
          <WhyWaiting wording={wording} submissions={submissions} />
          <ul class="outbox-list">
            {submissions.map((one) => (
              <SubmissionRow key={one.key} wording={wording} submission={one} all={submissions} />
            ))}
          </ul>
        </>
      )}
      {others > 0 && (
        <div class="outbox-note" data-others="">
          <p>{format.count(text.others, others)}</p>
          <div class="actions">
            <a class="button button-quiet button-small" href={pageAddress('sign-in/')}>
              {account.signIn}
            </a>
            <Button
              kind="quiet"
              isSmall
              onPress={() => void discardOthers(wording, others)}
              text={text.discard}
            />
          </div>
        </div>
      )}
    </>
  )
}

function WhyWaiting({ wording, submissions }: Pick<Waiting, 'wording' | 'submissions'>) {
  const { outbox: text, account } = wording.words
  if (!submissions.some(({ state }) => state === 'waiting')) return null
  if (!navigator.onLine) return <p class="outbox-note">{text.offline}</p>
  const state = outbox().last?.state
  if (state !== 'later' && state !== 'signed out') return null
  return (
    <div class="outbox-note">
      <p>{state === 'later' ? text.busy : text.signedOut}</p>
      <div class="actions">
        {state === 'later' ? (
          <Button kind="quiet" isSmall onPress={() => void outbox().flush()} text={text.now} />
        ) : (
          <a class="button button-small" href={pageAddress('sign-in/')}>
            {account.signIn}
          </a>
        )}
      </div>
    </div>
  )
}

async function discardOthers({ words, format }: Wording, others: number): Promise<void> {
  const { outbox: text, account } = words
  if (await isAgreed(format.count(text.discardAsk, others), { yes: text.discard, no: account.cancel }))
    await outbox().forget('others')
}

function Menu({ wording, submissions, others }: Waiting) {
  const { outbox: text } = wording.words
  const n = submissions.length + others
  return (
    <details
      class="menu menu-outbox"
      name="header-menu"
      hidden={n === 0}
      data-state={submissions.some(needsDecision) ? 'decide' : 'wait'}
    >
      <summary aria-label={wording.format.count(text.count, n)}>
        <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
          <path d="M12 13v8" />
          <path d="M4 14.900A7 7 0 1 1 15.710 8h1.790a4.500 4.500 0 0 1 2.500 8.242" />
          <path d="m8 17 4-4 4 4" />
        </svg>
        <span class="outbox-count">{wording.format.number(n)}</span>
      </summary>
      <div class="menu-body outbox-panel">
        <h2 class="outbox-title" tabIndex={-1}>
          {text.title}
        </h2>
        <p class="faint">{text.lead}</p>
        <WaitingList wording={wording} submissions={submissions} others={others} />
        <p>
          <a href={pageAddress('contributions/')} class="outbox-link">
            {text.contributions.title}
          </a>
        </p>
      </div>
    </details>
  )
}

/**
 * The menu in the header that opens the queue, with the number of its submissions. It is shown only while submissions
 * are stored.
 */
export class HeaderPanel {
  readonly #holder = document.createElement('div')
  readonly #status = document.createElement('p')
  readonly #before: Element
  #menu: HTMLDetailsElement | undefined

  /** @param before the element that the menu stands before */
  constructor(before: Element) {
    this.#before = before
    this.#status.className = 'visually-hidden'
    this.#status.role = 'status'
    document.body.append(this.#status)
    document.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape' || !this.#menu?.open || document.querySelector('dialog[open]')) return
      this.#menu.open = false
      this.#menu.querySelector('summary')?.focus()
    })
    document.addEventListener('click', ({ target }) => {
      // A clicked row may be gone meanwhile.
      const isOutside =
        target instanceof Element && target.isConnected && !target.closest('.menu-outbox, dialog')
      if (isOutside && this.#menu) this.#menu.open = false
    })
  }

  show(waiting: Waiting): void {
    const hadFocus = this.#menu?.contains(document.activeElement) === true
    const menu = placed(<Menu {...waiting} />, this.#holder) as HTMLDetailsElement
    if (!this.#menu) this.#before.before(menu)
    this.#menu = menu
    if (menu.hidden) menu.open = false
    // The row that had the focus may be gone.
    if (!hadFocus || menu.contains(document.activeElement)) return
    if (menu.hidden) document.querySelector<HTMLElement>('#account-link')?.focus()
    else menu.querySelector('h2')?.focus()
  }

  /** Has a change read out. */
  say(text: string): void {
    this.#status.textContent = text
  }
}
