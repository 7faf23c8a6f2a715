import { wrongFields } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { tell } from '../../ui/toast.tsx'
import { licenseName, photosName } from '../members.ts'
import { ChosenPhotos } from '../photos/chosen-photos.ts'
import { PhotoField } from '../photos/photo-field.tsx'
import type { Setting, Subject } from '../setting.ts'
import { openSheet } from '../sheet.tsx'
import { refusalText } from '../wording.ts'

/** A fountain by its id, or by the key of its queued creation. */
interface Photographed extends Omit<Subject, 'id'> {
  readonly id: number | string
}

export async function photo(
  setting: Setting,
  { id, name }: Photographed,
  photos = new ChosenPhotos(),
  problem = '',
): Promise<void> {
  const { contribute } = setting.words
  await openSheet(setting, {
    title: setting.format.withName(contribute.photo.title, name),
    fields: [photosName, licenseName],
    submit: contribute.publish,
    content: (
      <>
        {problem !== '' && <Problem text={problem} />}
        <PhotoField setting={setting} photos={photos} />
      </>
    ),
    async send() {
      if (photos.list.length === 0) throw wrongFields(photosName)
      await photos.send(setting, id, name)
    },
  }).closed
}

/** Sends the photos of another form after it. Those for which there is no room stay in a form of their own. */
export async function photosAfter(
  setting: Setting,
  photos: ChosenPhotos,
  { id, name }: Photographed,
): Promise<void> {
  const refusal = await photos.sendAfter(setting, id, name)
  if (refusal === undefined) return
  const text = refusalText(setting, refusal)
  if (photos.list.length === 0) tell(text)
  // Once the other form is closed.
  else setTimeout(() => void photo(setting, { id, name }, photos, text))
}
