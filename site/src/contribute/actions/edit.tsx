import { isRefusal, Refusal } from '../../api/request.ts'
import { pageAddress } from '../../api/site.ts'
import { FormDraft } from '../drafts.ts'
import {
  baseFromMap,
  forgetRead,
  isPartial,
  mapFields,
  readWaypoint,
  withQueued,
  type EditBase,
} from '../edit-base.ts'
import { openWaypointForm } from '../form/waypoint-form.tsx'
import { changesOf, fieldsOf, flat, isMaintainerAsked, overlaid, type Fields } from '../members.ts'
import type { Submission } from '../outbox/submission.ts'
import { choosePlace } from '../place/placing.tsx'
import { send } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'

/** The known state of a fountain. @throws Refusal when there is none */
async function readBase({ map }: Setting, { id }: Subject): Promise<EditBase> {
  try {
    return await withQueued(await readWaypoint(id))
  } catch (error) {
    if (isRefusal(error, 'OFFLINE') && map?.shown?.id === id) return withQueued(baseFromMap(map.shown))
    throw error
  }
}

/** Sends the fields of a fountain that were changed. @throws Refusal NOTHING_CHANGED, too */
async function sendChanges(
  setting: Setting,
  base: EditBase,
  values: Fields,
  refused?: Submission,
): Promise<void> {
  const { waypoint, etag } = base
  const { id, latitude, longitude } = waypoint
  const body = changesOf(waypoint, values)
  if (Object.keys(body).length === 0) throw new Refusal('NOTHING_CHANGED')
  const draft = {
    kind: 'edit',
    method: 'PATCH',
    path: `/waypoints/${id}`,
    body,
    ifMatch: etag,
    base: waypoint,
    subject: setting.page.title(waypoint),
    position: { latitude, longitude },
  } as const
  const { saved, maintainerAsked } = setting.words.contribute
  const thanks = (answer: unknown) => (isMaintainerAsked(waypoint, body, answer) ? maintainerAsked : saved)
  const { state } = await send(setting, draft, thanks, refused)
  if (state === 'done') forgetRead(base)
}

export async function edit(setting: Setting, subject: Subject, refused?: Submission): Promise<void> {
  const { contribute, account } = setting.words
  const found = refused?.base ? { waypoint: refused.base } : await readBase(setting, subject)
  const { waypoint } = found
  const draft = new FormDraft(setting, `edit:${waypoint.id}`, refused)
  const typed = fieldsOf(refused?.body)
  const title = setting.page.title(waypoint)
  const exit = await openWaypointForm(setting, {
    title: setting.format.withName(contribute.editTitle, title),
    draft,
    given: overlaid(waypoint, typed),
    only: isPartial(waypoint) ? [...mapFields, ...Object.keys(flat(typed))] : undefined,
    isOpen: true,
    label: waypoint.nameIsMade === true || waypoint.name === '' ? title : undefined,
    notes: () => isPartial(waypoint) && <p class="notice">{contribute.partial}</p>,
    submit: account.save,
    exits: ['startOver'],
    send: (values) => sendChanges(setting, found, values, refused),
  })
  if (exit === undefined) return
  draft.forget()
  await edit(setting, subject, refused)
}

/** Moves a fountain on the map. @throws Refusal */
export async function move(setting: Setting, subject: Subject): Promise<void> {
  const found = await readBase(setting, subject)
  const { waypoint } = found
  const { id, latitude, longitude } = waypoint
  // On a page without a map, this links to the map page.
  if (!setting.map) {
    const at = `${latitude.toFixed(5)},${longitude.toFixed(5)},18`
    return location.assign(pageAddress(`?at=${at}&fountain=${id}#move`))
  }
  const { contribute } = setting.words
  const title = setting.page.title(waypoint)
  const position = await choosePlace(setting, {
    title: setting.format.withName(contribute.moveTitle, title),
    take: contribute.moveHere,
    before: { latitude, longitude },
  })
  if (position) await sendChanges(setting, found, { ...position })
}
