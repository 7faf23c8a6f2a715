import type { Waypoint } from '@openfountain/core'
import { Refusal } from '../../api/request.ts'
import { element } from '../../map/card/markup.ts'
import type { Position } from '../../map/page/position.ts'
import { openSheet } from '../dialog.tsx'
import { changesOf } from '../form/changes.ts'
import { Drafts } from '../form/drafts.ts'
import { showRefusal } from '../form/refused.ts'
import { WaypointForm } from '../form/waypoint-form.ts'
import { forgetRead, baseFromMap, mapFields, readWaypoint, withQueued, type EditBase } from '../edit-base.ts'
import { tell } from '../notice.ts'
import { choosePlace } from '../place/placing.ts'
import { asRefusal, refusalText } from '../problems.ts'
import { fieldsOf, flat, overlaid } from '../members.ts'
import { waypointIdOf } from '../outbox/submission.ts'
import type { Submission, Draft } from '../outbox/outbox.ts'
import { announce, sendOrCorrect, waitingText, type SendResult } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { passes } from './gate.ts'
import type { Subject } from './subject.ts'

/** The known state of a fountain; when there is none, shows why it cannot be edited. */
async function readBase(setting: Setting, { id, name, fountain }: Subject): Promise<EditBase | undefined> {
  try {
    return await withQueued(await readWaypoint(id))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'OFFLINE' && fountain) return withQueued(baseFromMap(fountain))
    await openSheet(setting, { title: name, content: [element('p', {}, refusalText(setting, error))] }).closed
    return undefined
  }
}

/** Sends the changed fields of a fountain, and draws it with them. */
async function sendChanges(
  setting: Setting,
  { waypoint, etag }: EditBase,
  body: Record<string, unknown>,
  refusedSubmission?: Submission,
): Promise<SendResult> {
  const { id, name, latitude, longitude } = waypoint
  const draft: Draft = {
    kind: 'edit',
    method: 'PATCH',
    path: `/waypoints/${id}`,
    body,
    ifMatch: etag,
    base: waypoint,
    subject: name,
    position: { latitude, longitude },
  }
  const sent = await sendOrCorrect(setting, draft, refusedSubmission)
  if (sent.state === 'done') {
    forgetRead(id)
    announce(id, sent.answer as Waypoint)
  } else if (sent.state === 'waiting') announce(id, overlaid(waypoint, body), true)
  return sent
}

const textAfter = (setting: Setting, { state }: SendResult): string =>
  state === 'done' ? setting.words.contribute.saved : state === 'waiting' ? waitingText(setting) : ''

/** Edits the fields of a fountain; only changed fields are sent. */
export async function edit(setting: Setting, subject: Subject): Promise<void> {
  if (!(await passes(setting, 'edit'))) return
  const found = await readBase(setting, subject)
  if (found) await fillIn(setting, found)
}

/** Opens the form of a refused edit with its entries. */
export async function correctEdit(setting: Setting, refusedSubmission: Submission): Promise<void> {
  const { base, subject } = refusedSubmission
  // A fountain that was still queued when the edit was made has its id by the time the edit is refused.
  const id = waypointIdOf(refusedSubmission) ?? 0
  // The map's fountain has no date of creation.
  const found = base
    ? { waypoint: base, ...(base.createdAt === '' && { isPartial: true as const }) }
    : await readBase(setting, { id, name: subject })
  if (found) await fillIn(setting, found, refusedSubmission)
}

/** @param refusedSubmission the refused edit whose values fill the form */
async function fillIn(setting: Setting, found: EditBase, refusedSubmission?: Submission): Promise<void> {
  const { contribute } = setting.words
  const { waypoint, isPartial } = found
  const drafts = new Drafts(setting.person?.id ?? '')
  const draftName = refusedSubmission ? `change:${refusedSubmission.key}` : `edit:${waypoint.id}`
  const typed = refusedSubmission ? fieldsOf(refusedSubmission.body) : {}
  const draft = drafts.read(draftName)
  const form = new WaypointForm(setting, {
    isOpen: true,
    ...(isPartial && { only: [...mapFields, ...Object.keys(flat(typed))] }),
    onChange: () => drafts.keep(draftName, form.draft),
  })
  const begin = (): void => {
    form.values = overlaid(waypoint, typed)
  }
  begin()
  if (draft) form.draft = draft
  const startOver = element('button', { type: 'button', class: 'button button-quiet' }, contribute.startOver)
  startOver.addEventListener('click', () => {
    drafts.forget(draftName)
    begin()
    form.mark([])
  })
  const sheet = openSheet(setting, {
    title: setting.with(contribute.editTitle, { name: waypoint.name }),
    content: [
      draft
        ? element('p', { class: 'contribute-note', role: 'status' }, contribute.draftRestored)
        : undefined,
      isPartial ? element('p', { class: 'contribute-note' }, contribute.partial) : undefined,
      form.root,
    ],
    submit: refusedSubmission ? setting.words.again : setting.words.account.save,
    more: draft ? [startOver] : [],
    async onSubmit(open) {
      if (!form.check()) return open.problem(contribute.problem.marked)
      const body = changesOf(waypoint, form.values)
      if (Object.keys(body).length === 0) return open.problem(contribute.nothingChanged)
      const sent = await sendChanges(setting, found, body, refusedSubmission)
      if (sent.state === 'refused') return showRefusal(setting, open, form, sent.refusal)
      drafts.forget(draftName)
      open.close()
      tell(textAfter(setting, sent))
    },
  })
  if (refusedSubmission?.refusal) showRefusal(setting, sheet, form, asRefusal(refusedSubmission.refusal))
  await sheet.closed
}

/** Moves a fountain on the map. */
export async function move(setting: Setting, subject: Subject): Promise<void> {
  if (!(await passes(setting, 'move'))) return
  const found = await readBase(setting, subject)
  if (!found) return
  const { waypoint } = found
  // On a page without a map, this links to the map page.
  if (!setting.map) return location.assign(setting.mapAddress(waypoint, waypoint.id, 'move'))
  const { contribute } = setting.words
  const placed = await choosePlace(setting, {
    title: setting.with(contribute.moveTitle, { name: waypoint.name }),
    take: contribute.moveHere,
    before: { latitude: waypoint.latitude, longitude: waypoint.longitude },
  })
  if (!placed) return
  await sendMove(setting, found, placed.position)
}

async function sendMove(setting: Setting, found: EditBase, position: Position): Promise<void> {
  const { contribute } = setting.words
  const body = changesOf(found.waypoint, { ...position })
  if (Object.keys(body).length === 0) return tell(contribute.notMoved)
  const sent = await sendChanges(setting, found, body)
  if (sent.state === 'refused') {
    await openSheet(setting, {
      title: found.waypoint.name,
      content: [element('p', {}, refusalText(setting, sent.refusal))],
    }).closed
    return
  }
  tell(textAfter(setting, sent))
}
