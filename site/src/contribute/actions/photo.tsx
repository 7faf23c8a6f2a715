import { wrongFields } from '../../ui/form.tsx'
import { licenseName, photosName } from '../members.ts'
import { ChosenPhotos } from '../photos/chosen-photos.ts'
import { PhotoField } from '../photos/photo-field.tsx'
import type { Setting, Subject } from '../setting.ts'
import { openSheet } from '../sheet.tsx'

/** Adds photos to a fountain. */
export async function photo(setting: Setting, { id, name }: Subject): Promise<void> {
  const { contribute } = setting.words
  const photos = new ChosenPhotos()
  await openSheet(setting, {
    title: setting.format.withName(contribute.photo.title, name),
    fields: [photosName, licenseName],
    submit: contribute.publish,
    content: <PhotoField setting={setting} photos={photos} />,
    async send() {
      if (photos.list.length === 0) throw wrongFields(photosName)
      await photos.send(setting, id, name)
    },
  }).closed
}
