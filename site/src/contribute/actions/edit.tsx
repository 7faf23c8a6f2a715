import type { Waypoint } from '@openfountain/core'
import { Refusal } from '../../api/request.ts'
import { tell } from '../../ui/notice.tsx'
import { changesOf } from '../form/changes.ts'
import { forgetDraft } from '../form/drafts.ts'
import { openWaypointForm } from '../form/waypoint-form.tsx'
import { forgetRead, baseFromMap, mapFields, readWaypoint, withQueued, type EditBase } from '../edit-base.ts'
import { fieldsOf, flat, overlaid } from '../members.ts'
import type { Submission } from '../outbox/outbox.ts'
import { waypointIdOf } from '../outbox/submission.ts'
import { choosePlace } from '../place/placing.tsx'
import { titleOf } from '../place/near.tsx'
import { announce, sendOrCorrect, waitingText, type SendResult } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'
import { openRefusal } from '../sheet.tsx'
import { passes } from './gate.tsx'

/** The known state of a fountain; when there is none, shows why it cannot be edited. */
async function readBase(setting: Setting, { id, name, fountain }: Subject): Promise<EditBase | undefined> {
  try {
    return await withQueued(await readWaypoint(id))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'OFFLINE' && fountain) return withQueued(baseFromMap(fountain))
    await openRefusal(setting, name, error)
    return undefined
  }
}

/** Sends the changed fields of a fountain, draws it with them, and tells the result. */
async function sendChanges(
  setting: Setting,
  { waypoint, etag }: EditBase,
  body: Record<string, unknown>,
  refused?: Submission,
): Promise<SendResult> {
  const { id, latitude, longitude } = waypoint
  const draft = {
    kind: 'edit',
    method: 'PATCH',
    path: `/waypoints/${id}`,
    body,
    ifMatch: etag,
    base: waypoint,
    subject: titleOf(setting, waypoint),
    position: { latitude, longitude },
  } as const
  const sent = await sendOrCorrect(setting, draft, refused)
  if (sent.state === 'done') {
    forgetRead(id)
    announce(id, sent.answer as Waypoint)
    tell(setting.words.contribute.saved)
  } else if (sent.state === 'waiting') {
    announce(id, overlaid(waypoint, body), true)
    tell(waitingText(setting))
  }
  return sent
}

/** Edits the fields of a fountain; only changed fields are sent. */
export async function edit(setting: Setting, subject: Subject): Promise<void> {
  if (!(await passes(setting, 'edit'))) return
  const found = await readBase(setting, subject)
  if (found) await fillIn(setting, found)
}

/** Opens the form of a refused edit with its entries. */
export async function correctEdit(setting: Setting, refused: Submission): Promise<void> {
  const { base, subject } = refused
  // A fountain that was still queued when the edit was made has its id by the time the edit is refused.
  const id = waypointIdOf(refused) ?? 0
  // The map's fountain has no date of creation.
  const found = base
    ? { waypoint: base, ...(base.createdAt === '' && { isPartial: true as const }) }
    : await readBase(setting, { id, name: subject })
  if (found) await fillIn(setting, found, refused)
}

/** @param refused the refused edit whose values fill the form */
async function fillIn(setting: Setting, found: EditBase, refused?: Submission): Promise<void> {
  const { contribute, account } = setting.words
  const { waypoint, isPartial } = found
  const draft = refused ? `change:${refused.key}` : `edit:${waypoint.id}`
  const typed = fieldsOf(refused?.body)
  const next = await openWaypointForm<'anew'>(setting, {
    title: setting.with(contribute.editTitle, { name: titleOf(setting, waypoint) }),
    draft,
    given: overlaid(waypoint, typed),
    only: isPartial && [...mapFields, ...Object.keys(flat(typed))],
    isOpen: true,
    label: waypoint.nameIsMade === true || waypoint.name === '' ? titleOf(setting, waypoint) : undefined,
    notes: () => isPartial && <p class="notice">{contribute.partial}</p>,
    submit: account.save,
    leave: { anew: { label: contribute.startOver, isRestored: true } },
    refused,
    async send(values) {
      const body = changesOf(waypoint, values)
      return Object.keys(body).length === 0
        ? { state: 'refused', refusal: new Refusal('NOTHING_CHANGED') }
        : sendChanges(setting, found, body, refused)
    },
  })
  if (next === undefined) return
  forgetDraft(draft)
  await fillIn(setting, found, refused)
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
    title: setting.with(contribute.moveTitle, { name: titleOf(setting, waypoint) }),
    take: contribute.moveHere,
    before: { latitude: waypoint.latitude, longitude: waypoint.longitude },
  })
  if (!placed) return
  const body = changesOf(waypoint, { ...placed.position })
  if (Object.keys(body).length === 0) return tell(contribute.notMoved)
  const sent = await sendChanges(setting, found, body)
  if (sent.state === 'refused') await openRefusal(setting, titleOf(setting, waypoint), sent.refusal)
}
