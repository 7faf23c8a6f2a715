import { limits } from '@openfountain/core/rules'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Position } from '../../map/page/position.ts'
import { Button } from '../../ui/button.tsx'
import { filled, textIn } from '../../ui/form.tsx'
import type { FormDraft } from '../drafts.ts'
import { flat, licenseName, placeName, type Fields } from '../members.ts'
import type { ChosenPhotos } from '../photos/chosen-photos.ts'
import { PhotoField } from '../photos/photo-field.tsx'
import { parsePosition, positionText } from '../place/coordinates.ts'
import type { Setting } from '../setting.ts'
import { openSheet } from '../sheet.tsx'
import { waypointControls, type Control } from './controls.tsx'

export const positionOf = ({ latitude, longitude }: Fields): Position | undefined =>
  typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined

/** The entries of a form. One that is not changed keeps its given value, also a value that its control cannot show. */
class Entries {
  readonly controls: readonly Control[]
  readonly #given: Fields
  readonly #tag: string
  begun = new FormData()

  constructor(controls: readonly Control[], given: Fields, tag: string) {
    this.controls = controls
    this.#given = given
    this.#tag = tag
  }

  textsOf({ name, kind }: Control): readonly string[] {
    const position = name === placeName && positionOf(this.#given)
    return position ? [positionText(position)] : kind.textsOf(this.#given[name])
  }

  valuesIn(data: FormData): Fields {
    return Object.assign({}, ...this.controls.map((control) => this.#valueIn(data, control)))
  }

  #valueIn(data: FormData, { name, kind }: Control): Fields {
    const isKept = JSON.stringify(data.getAll(name)) === JSON.stringify(this.begun.getAll(name))
    if (name === placeName) {
      const kept = isKept ? positionOf(this.#given) : undefined
      return { ...(kept ?? parsePosition(textIn(data, name), this.#tag)) }
    }
    const given = this.#given[name]
    if (isKept) return { [name]: given === null || given === '' ? undefined : given }
    const texts = data.getAll(name).map((text) => String(text).trim())
    return { [name]: texts.every((text) => text === '') ? kind.nothing : kind.valueOf(texts) }
  }

  /** The names of fields whose values are none, as far as the browser cannot tell. */
  wrongIn(data: FormData): readonly string[] {
    const values = this.valuesIn(data)
    const { amenities, season } = values
    return [
      ...(Array.isArray(amenities) && amenities.length > limits.amenities ? ['amenities'] : []),
      ...(positionOf(values) ? [] : [placeName]),
      ...(typeof season === 'string' && season.includes('?') ? ['season'] : []),
    ]
  }
}

/** A button that leaves the form: to another place, or to begin again without a restored draft. */
export type FormExit = 'elsewhere' | 'startOver'

export interface WaypointFormOptions {
  readonly title: string
  readonly draft: FormDraft
  readonly given?: object
  /** The position of a new fountain, also over that of a draft. */
  readonly position?: Position | undefined
  /** The names of the offered fields; default all that this user may set. */
  readonly only?: readonly string[] | undefined
  readonly isOpen: boolean
  /** The text above the fields. */
  notes(close: () => void): ComponentChildren
  readonly submit: string
  readonly exits: readonly FormExit[]
  /** The label of a new fountain without a name. */
  madeName?(values: Fields): string
  /** The label of a known one; without either, a name is required. */
  readonly label?: string | undefined
  readonly photos?: ChosenPhotos
  /** @throws Refusal */
  send(values: Fields): Promise<unknown>
}

interface FieldsProps extends Pick<WaypointFormOptions, 'isOpen' | 'madeName' | 'label'> {
  readonly setting: Setting
  readonly entries: Entries
}

function WaypointFields({ setting, entries, isOpen, madeName, label }: FieldsProps) {
  const { contribute } = setting.words
  const root = useRef<HTMLDivElement>(null)
  const [made, setMade] = useState('')
  const dataNow = (): FormData => new FormData(root.current?.closest('form') ?? undefined)
  const changed = (): void => setMade(madeName?.(entries.valuesIn(dataNow())) ?? '')
  useLayoutEffect(() => {
    entries.begun = dataNow()
    changed()
  }, [])
  const [name, amenities, ...others] = entries.controls.map((control) => {
    const { hint, input } = control
    const named: Partial<Control> = madeName
      ? { hint: setting.format.withName(contribute.nameMade, made), input: { ...input, placeholder: made } }
      : {
          hint,
          input: { ...input, ...(label ? { placeholder: label } : { required: true, pattern: filled }) },
        }
    const shown = control.name === 'name' ? { ...control, ...named } : control
    return control.kind.view(setting, shown, entries.textsOf(control))
  })
  return (
    <div class="stack-4" ref={root} onInput={changed}>
      {madeName ? [amenities, name] : [name, amenities]}
      <details class="fold" open={isOpen}>
        <summary>{contribute.more}</summary>
        <div class="stack-3">{others}</div>
      </details>
    </div>
  )
}

/** Opens the form of a fountain with its draft. @returns the button by which it was left */
export async function openWaypointForm(
  setting: Setting,
  { given, position, only, notes, exits, photos, send, ...options }: WaypointFormOptions,
): Promise<FormExit | undefined> {
  const { contribute } = setting.words
  const { isOpen, madeName, label } = options
  const { kept, begun } = options.draft
  const controls = waypointControls(setting, { only, isNew: madeName !== undefined })
  const entries = new Entries(
    controls,
    { ...(kept ?? flat(given ?? begun)), ...position },
    setting.format.tag,
  )
  let exit: FormExit | undefined
  const leave = (by: FormExit): void => {
    exit = by
    sheet.close()
  }
  const sheet = openSheet(setting, {
    ...options,
    fields: [...controls.map(({ name }) => name), licenseName],
    valuesOf: (data) => ({ ...entries.valuesIn(data), [placeName]: textIn(data, placeName) }),
    check: (data) => entries.wrongIn(data),
    send: (data) => send(entries.valuesIn(data)),
    content: (
      <>
        {kept && (
          <p class="notice" role="status">
            {contribute.draftRestored}
          </p>
        )}
        {notes(() => sheet.close())}
        <WaypointFields {...{ setting, entries, isOpen, madeName, label }} />
        {photos && <PhotoField setting={setting} photos={photos} />}
      </>
    ),
    more: exits
      .filter((one) => kept || one !== 'startOver')
      .map((one) => <Button key={one} kind="quiet" text={contribute[one]} onPress={() => leave(one)} />),
  })
  await sheet.closed
  return exit
}
