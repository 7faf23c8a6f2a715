import { isRefusal, Refusal } from '../../api/request.ts'
import { pageAddress } from '../../api/site.ts'
import { tell } from '../../ui/toast.tsx'
import { FormDraft } from '../drafts.ts'
import { baseFromMap, forgetRead, mapFields, readWaypoint, withQueued, type EditBase } from '../edit-base.ts'
import { openWaypointForm } from '../form/waypoint-form.tsx'
import { changesOf, fieldsOf, flat, overlaid, type Fields } from '../members.ts'
import type { Outcome } from '../outbox/outbox.ts'
import type { Submission } from '../outbox/submission.ts'
import { choosePlace } from '../place/placing.tsx'
import { send } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'
import { openRefusal } from '../sheet.tsx'

/** The known state of a fountain; when there is none, shows why it cannot be edited. */
async function readBase(setting: Setting, { id, name }: Subject): Promise<EditBase | undefined> {
  try {
    return await withQueued(await readWaypoint(id))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const fountain = setting.map?.shown
    if (isRefusal(error, 'OFFLINE') && fountain?.id === id) return withQueued(baseFromMap(fountain))
    await openRefusal(setting, name, error)
    return undefined
  }
}

/** Sends the fields of a fountain that were changed; undefined when none was. */
async function sendChanges(
  setting: Setting,
  { waypoint, etag }: EditBase,
  values: Fields,
  refused?: Submission,
): Promise<Outcome | undefined> {
  const { id, latitude, longitude } = waypoint
  const body = changesOf(waypoint, values)
  if (Object.keys(body).length === 0) return undefined
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
  const sent = await send(setting, draft, setting.words.contribute.saved, refused)
  if (sent.state === 'done') forgetRead(id)
  return sent
}

/** Edits the fields of a fountain. @param refused the refused edit whose values fill the form */
export async function edit(setting: Setting, subject: Subject, refused?: Submission): Promise<void> {
  const { contribute, account } = setting.words
  // The map's fountain has no date of creation.
  const found = refused?.base
    ? { waypoint: refused.base, isPartial: refused.base.createdAt === '' }
    : await readBase(setting, subject)
  if (!found) return
  const { waypoint, isPartial } = found
  const draft = new FormDraft(setting, `edit:${waypoint.id}`, refused)
  const typed = fieldsOf(refused?.body)
  const title = setting.page.title(waypoint)
  const exit = await openWaypointForm(setting, {
    title: setting.format.withName(contribute.editTitle, title),
    draft,
    given: overlaid(waypoint, typed),
    only: isPartial ? [...mapFields, ...Object.keys(flat(typed))] : undefined,
    isOpen: true,
    label: waypoint.nameIsMade === true || waypoint.name === '' ? title : undefined,
    notes: () => isPartial && <p class="notice">{contribute.partial}</p>,
    submit: account.save,
    exits: ['startOver'],
    send: async (values) =>
      (await sendChanges(setting, found, values, refused)) ?? {
        state: 'refused',
        refusal: new Refusal('NOTHING_CHANGED'),
      },
  })
  if (exit === undefined) return
  draft.forget()
  await edit(setting, subject, refused)
}

/** Moves a fountain on the map. */
export async function move(setting: Setting, subject: Subject): Promise<void> {
  const found = await readBase(setting, subject)
  if (!found) return
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
  if (!position) return
  const sent = await sendChanges(setting, found, { ...position })
  if (!sent) tell(contribute.notMoved)
  else if (sent.state === 'refused') await openRefusal(setting, title, sent.refusal)
}
