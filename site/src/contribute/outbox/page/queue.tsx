import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { pageAddress } from '../../../api/site.ts'
import '../../../styles/outbox.css'
import { Button } from '../../../ui/button.tsx'
import { isAgreed } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { tell } from '../../../ui/toast.tsx'
import { Moment } from '../../../ui/time.tsx'
import { outbox, type Queue } from '../outbox.ts'
import { fountainOf, refusalOf, type Submission } from '../submission.ts'
import { refusalText, type Wording } from '../../wording.ts'
import { resolveConflict } from './conflict-dialog.tsx'

export const needsDecision = ({ state }: Submission): boolean => state === 'conflict' || state === 'refused'

export interface QueueProps {
  readonly wording: Wording
  readonly queue: Queue
}

export function useFocusOfRows(part: RefObject<HTMLElement>, move: () => void): void {
  const hadFocus = part.current?.contains(document.activeElement)
  useLayoutEffect(() => {
    if (hadFocus && !part.current?.contains(document.activeElement)) move()
  })
}

export function QueueList({ wording, queue: { submissions, others } }: QueueProps) {
  const { words, format } = wording
  const { outbox: text, account } = words
  const discardOthers = async (): Promise<void> => {
    const question = format.count(text.discardAsk, others)
    if (await isAgreed(question, { yes: text.discard, no: account.cancel })) await outbox().forget('others')
  }
  return (
    <>
      {submissions.length > 0 && (
        <>
          <WhyWaiting wording={wording} submissions={submissions} />
          <ul>
            {submissions.map((one) => (
              <SubmissionRow key={one.key} wording={wording} submission={one} all={submissions} />
            ))}
          </ul>
        </>
      )}
      {others > 0 && (
        <div class="notice tag-warm stack-2" data-others="">
          <p>{format.count(text.others, others)}</p>
          <div class="actions">
            <Button kind="quiet" isSmall href={pageAddress('sign-in/')} text={account.signIn} />
            <Button kind="quiet" isSmall onPress={() => void discardOthers()} text={text.discard} />
          </div>
        </div>
      )}
    </>
  )
}

function WhyWaiting({ wording, submissions }: { wording: Wording; submissions: readonly Submission[] }) {
  const { outbox: text, account } = wording.words
  const state = navigator.onLine ? outbox().last?.state : 'offline'
  if (!submissions.some((one) => one.state === 'waiting')) return null
  const reason = { offline: text.offline, later: text.busy, 'signed out': text.signedOut }[String(state)]
  return reason === undefined ? null : (
    <div class="notice tag-warm stack-2">
      <p>{reason}</p>
      {state === 'later' && (
        <Button kind="quiet" isSmall onPress={() => void outbox().flush()} text={text.now} />
      )}
      {state === 'signed out' && <Button isSmall href={pageAddress('sign-in/')} text={account.signIn} />}
    </div>
  )
}

interface RowProps {
  readonly wording: Wording
  readonly submission: Submission
  readonly all: readonly Submission[]
}

function stateText({ wording: { words }, submission, all }: RowProps): string {
  const { state: texts } = words.outbox
  const { state, isUncertain } = submission
  if (state !== 'waiting') return texts[state]
  if (all.some(({ key }) => key === fountainOf(submission))) return texts.after
  return isUncertain ? texts.uncertain : texts.waiting
}

function SubmissionRow(row: RowProps) {
  const { wording, submission } = row
  const { words, page, format } = wording
  const { kind, state, subject, refusal, madeAt } = submission
  const title = page.text('site.labelled', { label: words.outbox.kind[kind], text: format.isolate(subject) })
  const tone = needsDecision(submission) ? 'danger' : 'warm'
  return (
    <li class="split item outbox-row">
      <div class="stack-0">
        <span class="faint">{words.outbox.kind[kind]}</span>
        <strong>
          <bdi>{subject}</bdi>
        </strong>
        <span class={`outbox-state outbox-${tone}`}>{stateText(row)}</span>
        {state === 'refused' && refusal && (
          <span class="outbox-danger">{refusalText(wording, refusalOf(refusal))}</span>
        )}
        <Moment at={madeAt} format={format} />
      </div>
      <div class="actions">
        {actionsOf(row).map(([label, run], index) => (
          <Button
            key={label}
            kind={state === 'waiting' || index > 0 ? 'quiet' : 'main'}
            isSmall
            label={page.text('site.labelled', { label, text: title })}
            onPress={() => void run()}
            text={label}
          />
        ))}
      </div>
    </li>
  )
}

function actionsOf(row: RowProps): readonly (readonly [label: string, run: () => Promise<void>])[] {
  const { wording, submission } = row
  const { outbox: text } = wording.words
  switch (submission.state) {
    case 'conflict':
      return [[text.decide, () => resolveConflict(wording, submission.key)]]
    case 'refused':
      return [
        [text.change, () => correct(row)],
        [text.drop, () => takeBack(row)],
      ]
    case 'waiting':
      return [[text.undo, () => takeBack(row)]]
    case 'sending':
      return []
  }
}

async function correct({ wording: { words }, submission }: RowProps): Promise<void> {
  try {
    const forms = await import('../../open.tsx')
    await forms.correct(submission.key)
  } catch {
    tell(navigator.onLine ? words.problem.server : words.problem.offline)
  }
}

/** Takes a submission back, after a confirmation when others depend on it or the server may already have it. */
async function takeBack({ wording: { words, format }, submission, all }: RowProps): Promise<void> {
  const { outbox: text, account } = words
  const { key, state, isUncertain } = submission
  const more = all.filter((other) => fountainOf(other) === key).length
  const questions = [
    ...(state === 'refused' ? [text.dropAsk] : []),
    ...(state === 'waiting' && isUncertain ? [text.uncertainAsk] : []),
    ...(more > 0 ? [format.count(text.moreAsk, more)] : []),
  ]
  const yes = state === 'refused' ? text.drop : text.undo
  if (questions.length > 0 && !(await isAgreed(questions.join(' '), { yes, no: account.cancel }))) return
  await outbox().undo(key)
}

/** The menu in the header that opens the queue, with the number of its submissions; it is hidden while there are none. */
export function QueueMenu({ wording, queue, change }: QueueProps & { readonly change: string }) {
  const { outbox: text } = wording.words
  const menu = useRef<HTMLDetailsElement>(null)
  const n = queue.submissions.length + queue.others
  useFocusOfRows(menu, () =>
    (n === 0
      ? document.querySelector<HTMLElement>('#account-link')
      : menu.current?.querySelector('h2')
    )?.focus(),
  )
  return (
    <>
      <details
        class="menu menu-outbox"
        name="header-menu"
        hidden={n === 0}
        {...(n === 0 && { open: false })}
        data-state={queue.submissions.some(needsDecision) ? 'decide' : 'wait'}
        ref={menu}
      >
        <summary aria-label={wording.format.count(text.count, n)}>
          <Icon name="waiting" />
          <span>{wording.format.number(n)}</span>
        </summary>
        <div class="menu-body popup outbox-panel">
          <div class="stack-3">
            <h2 tabIndex={-1}>{text.title}</h2>
            <p class="faint">{text.lead}</p>
            <QueueList wording={wording} queue={queue} />
          </div>
          <a href={pageAddress('contributions/')}>{text.contributions.title}</a>
        </div>
      </details>
      <p class="visually-hidden" role="status">
        {change}
      </p>
    </>
  )
}
