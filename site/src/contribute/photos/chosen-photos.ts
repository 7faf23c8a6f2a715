import { photos } from '@openfountain/core/rules'
import { newKey, type Refusal } from '../../api/request.ts'
import { outbox } from '../outbox/outbox.ts'
import type { Draft } from '../outbox/submission.ts'
import { send } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { encoded, readPicture, turned, turnedArea, type Area } from './picture.ts'

/** The licence of photos that are sent: the default of the rules. */
export const [photoLicense] = photos.licenses

export interface ChosenPhoto {
  readonly key: string
  readonly picture: HTMLCanvasElement
  readonly areas: readonly Area[]
  readonly alt: string
}

export class ChosenPhotos {
  list: readonly ChosenPhoto[] = []
  changed: () => void = () => undefined

  /** @returns the names of files that the browser cannot read */
  async add(files: Iterable<File>): Promise<readonly string[]> {
    const unreadable: string[] = []
    // One after the other: several large pictures at once are too much for a phone.
    for (const file of files)
      try {
        const picture = await readPicture(file)
        this.#set([...this.list, { key: newKey(), picture, areas: [], alt: '' }])
      } catch {
        unreadable.push(file.name)
      }
    return unreadable
  }

  update(key: string, change: Partial<ChosenPhoto>): void {
    this.#set(this.list.map((one) => (one.key === key ? { ...one, ...change } : one)))
  }

  turn({ key, picture, areas }: ChosenPhoto): void {
    this.update(key, { picture: turned(picture), areas: areas.map(turnedArea) })
  }

  remove(key: string): void {
    this.#set(this.list.filter((one) => one.key !== key))
  }

  #set(list: readonly ChosenPhoto[]): void {
    this.list = list
    this.changed()
  }

  /** Sends them one by one; each that was sent leaves the form. @throws Refusal of the first one that is refused */
  async send(setting: Setting, fountain: number | string, subject: string): Promise<void> {
    const { contribute } = setting.words
    for (const photo of this.list) {
      await send(setting, await draftOf(photo, fountain, subject), contribute.photo.sent)
      this.remove(photo.key)
    }
  }

  /** Sends them after another contribution; those in the outbox leave the form. @returns the refusal of the first without room */
  async sendAfter(
    setting: Setting,
    fountain: number | string,
    subject: string,
  ): Promise<Refusal | undefined> {
    const refusals: Refusal[] = []
    const send = async (photo: ChosenPhoto): Promise<void> => {
      const draft = await draftOf(photo, fountain, subject)
      const outcome = await outbox().add({ by: setting.person?.id, ...draft })
      const isKept = outcome.state !== 'refused' || outcome.key !== undefined
      if (isKept) this.remove(photo.key)
      if (outcome.state === 'refused') refusals.splice(isKept ? refusals.length : 0, 0, outcome.refusal)
    }
    await Promise.all(this.list.map(send))
    return refusals[0]
  }
}

const draftOf = async (
  { picture, areas, alt }: ChosenPhoto,
  fountain: number | string,
  subject: string,
): Promise<Draft> => ({
  kind: 'photo',
  method: 'POST',
  path: `/waypoints/${fountain}/photos`,
  body: {
    photo: await encoded(picture, areas),
    license: photoLicense,
    ...(alt.trim() !== '' && { alt: alt.trim() }),
  },
  subject,
})
