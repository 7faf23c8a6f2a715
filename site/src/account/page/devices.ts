import { fill } from '../../messages.ts'
import { ownSessions, type Session } from './account-state.ts'
import { request } from '../../api/request.ts'
import { outbox } from '../../contribute/outbox/outbox.ts'
import { config, format, elementBy, words } from './config.ts'
import { announce, doOnce, onPress } from './form.ts'
import { showItems } from './items.ts'
import { showTokens } from './tokens.ts'
import { forgetDrafts } from '../../contribute/form/drafts.ts'
import { rememberUser } from '../../api/signed-in.ts'
import { usedOn } from './ways-in.ts'
import { hasAgreed } from './asking.ts'
import { withName } from './wording.ts'

const section = elementBy('#devices')
const nameOf = ({ device }: Session): string => device ?? words.unknownDevice

/** Reads and shows the sessions. @throws Refusal */
export async function showDevices(): Promise<void> {
  const sessions = await ownSessions()
  const own = sessions.filter(({ isCurrent }) => isCurrent)
  const others = sessions.filter(({ isCurrent }) => !isCurrent).toReversed()
  showItems(
    section,
    [...own, ...others].map((session) => ({
      title: nameOf(session),
      details: [fill(words.since, { date: format.date(session.createdAt) }), usedOn(session.lastUsedAt)],
      ...(session.isCurrent
        ? { badge: words.thisDevice, actions: [] }
        : { actions: [{ label: words.end, run: () => end(session) }] }),
    })),
  )
  elementBy('[data-other-devices]', section).hidden = others.length === 0
}

async function end(session: Session): Promise<void> {
  if (!(await hasAgreed(withName(words.endSession, nameOf(session)), words.end))) return
  await ended(`/user/sessions/${session.id}`)
}

const ended = (path: string): Promise<void> =>
  doOnce(section, 'other', async () => {
    await request('DELETE', path)
    await shownAgain()
  })

async function shownAgain(): Promise<void> {
  await showDevices()
  announce(words.done)
  elementBy('h2', section).focus()
}

/** How much is not sent yet. */
const kept = async (): Promise<number> => (await outbox().list()).length

/** Signing out, here and elsewhere. */
export function listenToDevices(): void {
  onPress(elementBy('[data-end-others]', section), section, 'other', async () => {
    const andTokens = elementBy<HTMLInputElement>('[data-and-tokens]', section).checked
    if (!(await hasAgreed(andTokens ? words.endAllAndTokens : words.endAll, words.endOthers))) return
    await request('DELETE', andTokens ? '/user/sessions?tokens=true' : '/user/sessions')
    await Promise.all([shownAgain(), showTokens()])
  })
  onPress(elementBy('#sign-out'), elementBy('#step-account'), 'other', async () => {
    const waiting = await kept().catch(() => 0)
    if (waiting > 0 && !(await hasAgreed(format.count(words.signOutWaiting, waiting), words.signOut))) return
    await request('POST', '/auth/sign-out')
    await outbox()
      .forget('own')
      .catch(() => undefined)
    rememberUser(undefined)
    forgetDrafts()
    location.assign(config.pages.signIn)
  })
}
