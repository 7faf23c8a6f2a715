import { onLanguage } from '../api/site.ts'
import { addStyle } from '../client/add-style.ts'
import type { Fountain } from '../map/data/cell.ts'
import style from '../styles/contribute.css?url'
import { add } from './actions/add.tsx'
import { correct as correctSubmission } from './actions/correct.tsx'
import { leadToSignIn, passes } from './actions/gate.tsx'
import { report, type Reported } from './actions/report.tsx'
import { readWaypoint } from './edit-base.ts'
import { showOffer, startAction, type FountainAction } from './offer.tsx'
import { outbox } from './outbox/outbox.ts'
import { opensForm } from './rights.ts'
import { settingOfPage, type Setting, type Subject } from './setting.ts'

/** @throws Error when the texts cannot be read */
async function ready(): Promise<Setting> {
  const [setting] = await Promise.all([settingOfPage(), addStyle(style)])
  return setting
}

/** Starts the action of a button. `choose` replaces the button with the possible actions. */
export async function open(action: 'add' | FountainAction | 'choose', button: HTMLElement): Promise<void> {
  const setting = await ready()
  const { dataset } = button
  const name = dataset['name'] ?? ''
  if (action === 'add') {
    if (await passes(setting, 'add')) await add(setting, (given, one) => void startAction(given, 'edit', one))
    return
  }
  const reported = reportedBy(button)
  if (reported) {
    if (await passes(setting, 'report', button.id)) await report(setting, reported, name)
    return
  }
  const subject = { id: Number(dataset['id']), name }
  if (action === 'choose') return choose(setting, subject, button)
  // A second tap while it is sent has no effect.
  button.toggleAttribute('disabled', true)
  try {
    await startAction(setting, action, subject)
  } finally {
    button.toggleAttribute('disabled', false)
  }
}

async function choose(setting: Setting, subject: Subject, button: HTMLElement): Promise<void> {
  if (setting.visitor === undefined && !setting.mayAnybodyReport && button.closest('#card'))
    return leadToSignIn('choose')
  const place = button.parentElement
  const hadFocus = button === document.activeElement
  button.remove()
  if (!place) return
  // The language of a fountain's page may change while it is open, also right after it has loaded.
  onLanguage(() => void offer(subject, place))
  await offer(subject, place)
  // The focus moves to the first new control.
  if (hadFocus) place.querySelector<HTMLElement>('button,a')?.focus()
}

/** Opens the form of a refused submission, on any page. */
export async function correct(key: string): Promise<void> {
  const setting = await ready()
  const submission = (await outbox().list()).find((one) => one.key === key && one.state === 'refused')
  if (submission) await correctSubmission(setting, submission)
}

/** Shows the visitor's possible actions in a card or on a page. */
export async function offer(subject: Subject, place: HTMLElement): Promise<void> {
  const setting = await ready()
  if (setting.site.tag !== document.documentElement.lang) return
  showOffer(setting, place, (action) => {
    void settingOfPage().then((now) => startAction(now, action, subject))
  })
  // So that it can be edited offline.
  if (setting.visitor !== undefined) await readWaypoint(subject.id).catch(() => undefined)
}

/** The same for a fountain of the map. @param asked the action from the address, which then starts */
export async function offerFountain(fountain: Fountain, place: HTMLElement, asked: string): Promise<void> {
  const subject = { id: fountain.id, name: place.dataset['name'] ?? fountain.name, fountain }
  await offer(subject, place)
  if (opensForm(asked)) await startAction(await ready(), asked, subject)
}

/** Replaces the page's general offer with the signed-in user's possible actions. */
export async function settle(): Promise<void> {
  const button = document.querySelector<HTMLElement>('button[data-contribute="choose"]')
  if (button) await open('choose', button)
  else await ready()
}

/** The review or the person that a button reports. */
function reportedBy({ dataset }: HTMLElement): Reported | undefined {
  const { reportUser, reportReview } = dataset
  if (reportUser !== undefined) return { userId: reportUser }
  return reportReview === undefined ? undefined : { reviewId: Number(reportReview) }
}
