import { limits } from '@openfountain/core/rules'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { store, stored } from '../../client/storage.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Flag, useField } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Problem } from '../../ui/problem.tsx'
import { licenseName, photosName } from '../members.ts'
import { takesPhotos } from '../rights.ts'
import type { Setting } from '../setting.ts'
import { photoLicense, type ChosenPhoto, type ChosenPhotos } from './chosen-photos.ts'
import { inside, type Area } from './picture.ts'

/** Key of the consent to the licence of photos: asked once, stored in this browser. */
const consentKey = 'photo-license'

interface PhotoFieldProps {
  readonly setting: Setting
  readonly photos: ChosenPhotos
}

/** Chooses photos from the camera or the gallery, to be turned, described, and blurred in part. Only for accounts. */
export function PhotoField({ setting, photos }: PhotoFieldProps) {
  const text = setting.words.contribute.photo
  const [list, setList] = useState(photos.list)
  const [unreadable, setUnreadable] = useState<readonly string[]>([])
  const [isReading, setReading] = useState(false)
  const [sending, setSending] = useState<{ readonly share: number | null; readonly n: number }>({
    share: null,
    n: 0,
  })
  const { control, notes } = useField(photosName, undefined)
  useEffect(() => {
    photos.changed = () => setList(photos.list)
    const told = ({ detail: share }: CustomEvent<number | null>): void =>
      setSending(({ share: before, n }) => ({ share, n: before === null && share !== null ? n + 1 : n }))
    document.addEventListener('openfountain:progress', told)
    return () => document.removeEventListener('openfountain:progress', told)
  }, [])
  async function choose(input: HTMLInputElement): Promise<void> {
    const files = [...(input.files ?? [])]
    input.value = ''
    setReading(true)
    setUnreadable(await photos.add(files))
    setReading(false)
  }
  if (!takesPhotos(setting)) return null
  return (
    <fieldset class="field photo-field">
      <legend>{text.legend}</legend>
      {list.map((photo, index) => (
        <PhotoEditor key={photo.key} setting={setting} photos={photos} photo={photo} number={index + 1} />
      ))}
      <label class="button button-quiet photo-add" aria-busy={isReading}>
        <Icon name="photo" />
        {list.length === 0 ? text.add : text.another}
        <input
          type="file"
          class="visually-hidden"
          accept="image/*"
          multiple
          {...control}
          onChange={({ currentTarget }) => void choose(currentTarget)}
        />
      </label>
      {notes}
      <Problem text={unreadable.length > 0 ? fill(text.unreadable, { files: unreadable.join(', ') }) : ''} />
      {list.length > 0 && <LicenseConsent setting={setting} />}
      <p class="faint" role="status">
        {sending.share !== null && fill(text.sending, { n: setting.format.number(sending.n) })}
      </p>
      {sending.share !== null && <progress value={sending.share} aria-label={text.legend} />}
    </fieldset>
  )
}

/** Asks for the licence the first time; later it only says which. */
function LicenseConsent({ setting: { words, format, person } }: Pick<PhotoFieldProps, 'setting'>) {
  const text = words.contribute.photo
  const [isAgreed] = useState(() => stored(consentKey) !== null)
  const name = format.isolate(person?.name ?? '')
  if (isAgreed) return <p class="faint">{fill(text.licensed, { name, license: photoLicense })}</p>
  return (
    <Flag
      name={licenseName}
      required
      label={fill(text.license, { license: photoLicense })}
      hint={fill(text.licenseHint, { name })}
      onChange={({ currentTarget }) => store(consentKey, currentTarget.checked ? '1' : undefined)}
    />
  )
}

interface EditorProps extends PhotoFieldProps {
  readonly photo: ChosenPhoto
  /** Its position among the photos, from 1. */
  readonly number: number
}

/** A chosen photo: areas to blur are drawn over it with a finger, or added and moved by keys. */
function PhotoEditor({ setting: { words, format }, photos, photo, number }: EditorProps) {
  const text = words.contribute.photo
  const { key, picture, areas, alt } = photo
  const holder = useRef<HTMLDivElement>(null)
  const [isBlurring, setBlurring] = useState(false)
  const [drawn, setDrawn] = useState<Area>()
  const begun = useRef<{ readonly x: number; readonly y: number }>()
  const named = (label: string): string => fill(text.ofPhoto, { label, n: format.number(number) })
  const put = (changed: readonly Area[]): void => photos.update(key, { areas: changed })

  useLayoutEffect(() => {
    picture.setAttribute('role', 'img')
    picture.setAttribute('aria-label', named(text.legend))
    holder.current?.prepend(picture)
    return () => picture.remove()
  }, [picture])

  const shareOf = ({ clientX, clientY }: PointerEvent): { x: number; y: number } => {
    const { left, top, width, height } = picture.getBoundingClientRect()
    return { x: (clientX - left) / width, y: (clientY - top) / height }
  }
  const areaTo = (event: PointerEvent): Area | undefined => {
    const from = begun.current
    if (!from) return undefined
    const to = shareOf(event)
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)]
    return { x, y, width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) }
  }
  function ended(event: PointerEvent): void {
    const area = areaTo(event)
    begun.current = undefined
    setDrawn(undefined)
    // A tap is no area.
    if (area && Math.max(area.width, area.height) > 0.02) put([...areas, inside(area)])
  }

  const tool = (label: string, onPress: () => void, isPressed?: boolean) => (
    <Button kind="quiet" isSmall isPressed={isPressed} text={label} label={named(label)} onPress={onPress} />
  )
  return (
    <div class="stack-2 photo-editor">
      <div
        class={`photo-picture${isBlurring ? ' is-blurring' : ''}`}
        ref={holder}
        onPointerDown={(event) => {
          if (!isBlurring || event.target instanceof HTMLButtonElement) return
          begun.current = shareOf(event)
          holder.current?.setPointerCapture(event.pointerId)
        }}
        onPointerMove={(event) => begun.current && setDrawn(areaTo(event))}
        onPointerUp={ended}
        onPointerCancel={() => {
          begun.current = undefined
          setDrawn(undefined)
        }}
      >
        {drawn && <span class="photo-area" style={styleOf(drawn)} />}
        {areas.map((area, index) => (
          <button
            key={index}
            type="button"
            class="photo-area"
            style={styleOf(area)}
            aria-label={fill(text.area, { n: format.number(index + 1) })}
            aria-description={text.areaKeys}
            onClick={() => put(areas.filter((one) => one !== area))}
            onKeyDown={(event) => {
              const moved = movedBy(event, area)
              if (!moved) return
              event.preventDefault()
              put(areas.map((one) => (one === area ? moved : one)))
            }}
          />
        ))}
      </div>
      <div class="actions">
        {tool(text.blur, () => setBlurring(!isBlurring), isBlurring)}
        {isBlurring && tool(text.addArea, () => put([...areas, { x: 0.4, y: 0.4, width: 0.2, height: 0.2 }]))}
        {tool(text.turn, () => photos.turn(photo))}
        {tool(text.remove, () => photos.remove(key))}
      </div>
      {isBlurring && <p class="faint">{text.blurHint}</p>}
      <Field
        name={`photoAlt${key}`}
        label={text.alt}
        hint={text.altHint}
        maxLength={limits.photoAlt}
        spellcheck
        defaultValue={alt}
        onInput={({ currentTarget }) => photos.update(key, { alt: currentTarget.value })}
      />
    </div>
  )
}

const percent = (share: number): string => `${share * 100}%`

const styleOf = ({ x, y, width, height }: Area) => ({
  left: percent(x),
  top: percent(y),
  width: percent(width),
  height: percent(height),
})

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** An area moved by an arrow key, or with Shift resized, by a fiftieth of the picture; undefined for other keys. */
function movedBy({ key, shiftKey }: KeyboardEvent, area: Area): Area | undefined {
  const direction = directions[key]
  if (!direction) return undefined
  const [x, y] = direction.map((step) => step / 50) as [number, number]
  return inside(
    shiftKey
      ? { ...area, width: area.width + x, height: area.height + y }
      : { ...area, x: area.x + x, y: area.y + y },
  )
}
