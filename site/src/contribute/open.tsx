import { render } from 'preact'
import { NewAccounts } from '../account/new-accounts.tsx'
import { Refusal } from '../api/request.ts'
import { rememberReturn } from '../api/return.ts'
import { onLanguage, pageAddress } from '../api/site.ts'
import '../styles/contribute.css'
import { Button } from '../ui/button.tsx'
import { add, correctAdd } from './actions/add.tsx'
import { edit, move } from './actions/edit.tsx'
import { missingText, offerSignIn, passes, returnAddress, showEarnings } from './actions/gate.tsx'
import { NearConsent, problem, works } from './actions/observe.tsx'
import { photo } from './actions/photo.tsx'
import { remove } from './actions/remove.ts'
import { report, type Reported } from './actions/report.tsx'
import { review } from './actions/review.tsx'
import { FormDraft } from './drafts.ts'
import { readWaypoint } from './edit-base.ts'
import { fieldsOf } from './members.ts'
import { outbox } from './outbox/outbox.ts'
import { waypointIdOf } from './outbox/submission.ts'
import { opensForm, rightTo, takesPhotos, type Action } from './rights.ts'
import { send } from './sending.ts'
import { settingOfPage, type Setting, type Subject } from './setting.ts'
import { openMessage, openSheet } from './sheet.tsx'
import { refusalText } from './wording.ts'

export { showFirstTask } from './first-task.tsx'

const starts = {
  review,
  edit,
  move,
  report: (setting: Setting, { id, name }: Subject) => report(setting, { bubblerId: id }, name),
  photo,
  remove,
  works,
  problem,
}

type FountainAction = keyof typeof starts

/** The actions that are offered as buttons, with their icons. */
const offered = [
  ['review', 'star'],
  ['photo', 'photo'],
  ['edit', 'edited'],
  ['move', 'pin'],
  ['report', 'broken'],
  ['remove', 'deleted'],
] as const satisfies readonly [Action, string][]

const subjectOf = ({ dataset: { id, name = '' } }: HTMLElement): Subject => ({ id: Number(id), name })

const begun = new Set<string>()

/** Does an action, unless it is in progress: a second tap has no effect. */
async function once(key: string, act: () => Promise<unknown>): Promise<void> {
  if (begun.has(key)) return
  begun.add(key)
  await act().finally(() => begun.delete(key))
}

/** Starts the action of a button. `choose` replaces the button with the possible actions. */
export async function open(button: HTMLElement): Promise<void> {
  const setting = await settingOfPage()
  const { contribute: action, name = '', reportUser, reportReview, reportPhoto } = button.dataset
  if (action === 'add')
    return once('add', async () => {
      if (await passes(setting, 'add')) await add(setting, (one) => void start(setting, 'edit', one))
    })
  const reported = reportUser
    ? { userId: reportUser }
    : reportReview
      ? { reviewId: Number(reportReview) }
      : reportPhoto && { photoId: Number(reportPhoto) }
  if (reported) {
    return once(`report ${button.id}`, async () => {
      if (await passes(setting, 'report', button.id)) await report(setting, reported, name)
    })
  }
  if (action === 'choose') {
    if (setting.visitor || setting.passersBy === 'reports' || !button.closest('#card')) await choose(button)
    else await once('choose', () => offerSignIn(setting, setting.words.contribute.improve, 'choose'))
    return
  }
  button.toggleAttribute('disabled', true)
  await start(setting, action as FountainAction, subjectOf(button)).finally(() =>
    button.toggleAttribute('disabled', false),
  )
}

const start = (setting: Setting, action: FountainAction, subject: Subject): Promise<void> =>
  once(`${action} ${subject.id}`, () => act(setting, action, subject))

/** Does something about a fountain, if the visitor may. A refusal without a form is shown in a dialog. */
async function act(setting: Setting, action: FountainAction, subject: Subject): Promise<void> {
  const isAllowed =
    action === 'works' || action === 'problem'
      ? passes(setting, 'observe', 'choose')
      : passes(setting, action)
  if (!(await isAllowed)) return
  try {
    await starts[action](setting, subject)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await openMessage(setting, subject.name, <p>{refusalText(setting, error)}</p>)
  }
}

async function choose(button: HTMLElement): Promise<void> {
  const place = button.parentElement
  if (!place) return
  const show = (): Promise<void> => offer(subjectOf(button), place)
  const hadFocus = button === document.activeElement
  // The language of a fountain's page may change while it is open, also right after it has loaded.
  if (!button.closest('#card')) onLanguage(() => void show())
  button.remove()
  await show()
  // The focus moves to the first new control.
  if (hadFocus) place.querySelector<HTMLElement>('button,a')?.focus()
}

/** Replaces the general offer of a page or a card with the possible actions. @param asked the action to start then */
export async function settle(asked = ''): Promise<void> {
  const setting = await settingOfPage()
  const button = document.querySelector<HTMLElement>('button[data-contribute="choose"]')
  if (!button) return
  await choose(button)
  if (opensForm(asked)) await start(setting, asked, subjectOf(button))
}

/** Shows the visitor's possible actions in a card or on a page. */
async function offer(subject: Subject, place: Element): Promise<void> {
  const setting = await settingOfPage()
  if (setting.format.tag !== document.documentElement.lang) return
  const begin = (action: FountainAction) => void settingOfPage().then((now) => start(now, action, subject))
  render(<Offer setting={setting} begin={begin} />, place)
  // So that it can be edited offline.
  if (setting.visitor !== undefined) await readWaypoint(subject.id).catch(() => undefined)
}

interface OfferProps {
  readonly setting: Setting
  begin(action: FountainAction): void
}

/** The visitor's possible actions on a fountain as buttons, and the missing requirements of the others. */
function Offer({ setting, begin }: OfferProps) {
  const { words, visitor, person, passersBy, offer } = setting
  const { contribute, rules } = words
  const rights = offered
    .filter(([action]) => action !== 'photo' || !person || takesPhotos(setting))
    .map(([action, icon]) => [action, icon, rightTo(action, visitor, rules, passersBy)] as const)
  const allowed = rights.filter(([, , { state }]) => state === 'allowed')
  const missing = new Set(rights.flatMap(([action, , right]) => missingText(setting, action, right) ?? []))
  return (
    <div class="stack-2">
      {person && allowed.some(([action]) => action === 'report') && <NearConsent setting={setting} />}
      {allowed.length > 0 && (
        <div class="actions">
          {allowed.map(([action, icon]) => (
            <Button
              key={action}
              kind="quiet"
              isSmall
              icon={icon}
              text={contribute.action[action]}
              onPress={() => begin(action)}
            />
          ))}
        </div>
      )}
      {visitor === undefined && (
        <p class="faint">
          <a href={pageAddress('sign-in/')} onClick={() => rememberReturn(returnAddress('choose'))}>
            {contribute.signInFirst}
          </a>
        </p>
      )}
      {visitor === undefined && offer && offer.registration !== 'open' && (
        <NewAccounts offer={offer} words={words.account} />
      )}
      {[...missing].map((text) => (
        <p key={text} class="faint">
          {text}
        </p>
      ))}
      {rights.some(([, , { state }]) => state === 'xp') && (
        <button type="button" class="text-button" onClick={() => void showEarnings(setting)}>
          {words.earnings.title}
        </button>
      )}
    </div>
  )
}

export async function correct(key: string): Promise<void> {
  const setting = await settingOfPage()
  const submission = (await outbox().list()).find((one) => one.key === key && one.state === 'refused')
  if (!submission) return
  const { kind, subject: name, body } = submission
  // A fountain that was still queued when it was made has its id by the time it is refused.
  const subject = { id: waypointIdOf(submission) ?? 0, name }
  switch (kind) {
    case 'create':
      return void (await correctAdd(setting, submission))
    case 'edit':
      return edit(setting, subject, submission)
    case 'review':
      return review(setting, subject, submission)
    case 'report':
      return report(setting, fieldsOf(body) as Reported, name, submission)
    case 'delete':
    case 'observation':
    case 'photo':
      // Sent unchanged, which may be allowed by now; the dialog says why it was refused.
      return openSheet(setting, {
        title: name,
        content: null,
        fields: [],
        submit: setting.words.outbox.again,
        draft: new FormDraft(setting, '', submission),
        send: () => send(setting, submission, setting.words.contribute.saved, submission),
      }).closed
  }
}
