import type { Position } from '../../map/page/position.ts'
import { FormDraft } from '../drafts.ts'
import { openWaypointForm, positionOf, type FormExit } from '../form/waypoint-form.tsx'
import { filledIn, type Fields } from '../members.ts'
import type { Submission } from '../outbox/submission.ts'
import { ChosenPhotos } from '../photos/chosen-photos.ts'
import { photosAfter } from './photo.tsx'
import { Candidates } from '../place/near.tsx'
import { choosePlace } from '../place/placing.tsx'
import { send } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'

type Edit = (subject: Subject) => void

/** Adds a fountain in three steps: position, candidates for duplicates, fields. @param edit edits one of the candidates */
export async function add(setting: Setting, edit: Edit): Promise<void> {
  const { where: title, here: take } = setting.words.contribute
  const draft = new FormDraft(setting, 'add')
  let start = positionOf(draft.kept ?? {})
  let position = start
  for (;;) {
    position ??= await choosePlace(setting, { title, take, start, edit })
    if (!position) return
    const exit = await openForm(setting, draft, position, edit)
    if (exit === undefined) return
    if (exit === 'startOver') draft.forget()
    start = position
    position = undefined
  }
}

export const correctAdd = (setting: Setting, refused: Submission): Promise<unknown> =>
  openForm(setting, new FormDraft(setting, '', refused))

function openForm(
  setting: Setting,
  draft: FormDraft,
  position?: Position,
  edit?: Edit,
): Promise<FormExit | undefined> {
  const { newTitle: title, publish: submit, added } = setting.words.contribute
  const { refused } = draft
  const photos = new ChosenPhotos()
  const madeName = ({ amenities, region }: Fields): string =>
    setting.page.title({
      name: '',
      amenities: Array.isArray(amenities) ? amenities.map(String) : [],
      region: typeof region === 'string' ? region : undefined,
    })
  return openWaypointForm(setting, {
    title,
    submit,
    draft,
    position,
    isOpen: refused !== undefined,
    notes: (close) =>
      position && edit && <Candidates setting={setting} at={position} leave={close} edit={edit} />,
    exits: refused ? [] : ['elsewhere', 'startOver'],
    madeName,
    photos,
    async send(values) {
      const isNamed = typeof values['name'] === 'string'
      const subject = isNamed ? String(values['name']) : madeName(values)
      const body = { ...filledIn(values), ...(!isNamed && { name: '', nameIsMade: true }) }
      const { key } = await send(
        setting,
        { kind: 'create', method: 'POST', path: '/waypoints', body, subject, position: positionOf(values) },
        setting.format.withName(added, subject),
        refused,
      )
      await photosAfter(setting, photos, { id: key, name: subject })
    },
  })
}
