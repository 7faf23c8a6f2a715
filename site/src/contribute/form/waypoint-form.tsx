import { limits } from '@openfountain/core/rules'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Position } from '../../map/page/position.ts'
import { Button } from '../../ui/button.tsx'
import { filled, textIn } from '../../ui/form.tsx'
import { flat, placeName } from '../members.ts'
import type { Submission } from '../outbox/outbox.ts'
import { parsePosition, positionText } from '../place/coordinates.ts'
import { openSheet } from '../sheet.tsx'
import type { SendResult } from '../sending.ts'
import type { Setting } from '../setting.ts'
import type { Values } from './changes.ts'
import { kinds, waypointControls, type Control } from './controls.tsx'
import { readDraft } from './drafts.ts'

/** The position among values; undefined when they have none. */
export const positionOf = ({ latitude, longitude }: Values): Position | undefined =>
  typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined

/** The entries of a form. One that is not changed keeps its given value, also a value that its control cannot show. */
class Entries {
  readonly controls: readonly Control[]
  readonly #given: Values
  readonly #tag: string
  #begun = new FormData()

  constructor(controls: readonly Control[], given: Values, tag: string) {
    this.controls = controls
    this.#given = given
    this.#tag = tag
  }

  /** Stores the entries of the unchanged form, as its controls show them. */
  begin(data: FormData): void {
    this.#begun = data
  }

  /** The texts with which a control begins. */
  textsOf({ name, kind }: Control): readonly string[] {
    const position = name === placeName && positionOf(this.#given)
    return position ? [positionText(position)] : kinds[kind].textsOf(this.#given[name])
  }

  /** The values by field name; undefined where a field is empty. */
  valuesIn(data: FormData): Values {
    return Object.assign({}, ...this.controls.map((control) => this.#valueIn(data, control)))
  }

  #valueIn(data: FormData, { name, kind }: Control): Values {
    const isKept = JSON.stringify(data.getAll(name)) === JSON.stringify(this.#begun.getAll(name))
    if (name === placeName) {
      const kept = isKept ? positionOf(this.#given) : undefined
      return { ...(kept ?? parsePosition(textIn(data, name), this.#tag)) }
    }
    const given = this.#given[name]
    if (isKept) return { [name]: given === null || given === '' ? undefined : given }
    const texts = data.getAll(name).map((text) => String(text).trim())
    const { valueOf, nothing } = kinds[kind]
    return { [name]: texts.every((text) => text === '') ? nothing : valueOf(texts) }
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

interface FieldsProps {
  readonly setting: Setting
  readonly entries: Entries
  readonly isOpen: boolean | undefined
  readonly madeName: ((values: Values) => string) | undefined
  readonly label: string | undefined
}

function WaypointFields({ setting, entries, isOpen, madeName, label }: FieldsProps) {
  const root = useRef<HTMLDivElement>(null)
  const [made, setMade] = useState('')
  const changed = (): void => {
    const data = new FormData(root.current?.closest('form') ?? undefined)
    setMade(madeName?.(entries.valuesIn(data)) ?? '')
  }
  useLayoutEffect(() => {
    entries.begin(new FormData(root.current?.closest('form') ?? undefined))
    changed()
  }, [])
  const { contribute } = setting.words
  const view = (control: Control): ComponentChildren =>
    kinds[control.kind].view(setting, control, entries.textsOf(control))
  const [name, amenities, ...others] = entries.controls.map((control) => {
    if (control.name !== 'name') return view(control)
    const hint = madeName ? setting.with(contribute.nameMade, { name: made }) : control.hint
    const placeholder = madeName ? made : label
    const more = placeholder === undefined ? { required: true, pattern: filled } : { placeholder }
    return view({ ...control, ...(hint !== undefined && { hint }), input: { ...control.input, ...more } })
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

export interface WaypointFormOptions<Next extends string> {
  readonly title: string
  /** The name of its draft. */
  readonly draft: string
  /** The fountain that is edited, or the position of a new one. */
  readonly given: object
  /** The position of a new fountain, also over that of a draft. */
  readonly position?: Position
  /** The names of the offered fields; default all that this user may set. */
  readonly only?: readonly string[] | undefined
  /** Whether further fields are unfolded at first; default folded. */
  readonly isOpen?: boolean
  /** What is said above the fields. */
  notes?(close: () => void): ComponentChildren
  readonly submit: string
  /** Buttons that leave the form, by what they lead to; with `isRestored` only those of a restored draft. */
  readonly leave?: Readonly<Partial<Record<Next, { readonly label: string; readonly isRestored?: true }>>>
  /** The refused submission that it corrects. */
  readonly refused?: Submission | undefined
  /** The label of a new fountain without a name. */
  madeName?(values: Values): string
  /** The label of a known one; without either, a name is required. */
  readonly label?: string | undefined
  send(values: Values): Promise<SendResult>
}

/** Opens the form of a fountain with its draft. @returns how it was left by a button */
export async function openWaypointForm<Next extends string>(
  setting: Setting,
  options: WaypointFormOptions<Next>,
): Promise<Next | undefined> {
  const {
    title,
    draft: name,
    given,
    position,
    only,
    isOpen,
    notes,
    submit,
    refused,
    madeName,
    label,
    send,
  } = options
  const draft = readDraft(setting, name)
  const controls = waypointControls(setting, { only, isNew: madeName !== undefined })
  const entries = new Entries(controls, { ...(draft ?? flat(given)), ...position }, setting.format.tag)
  let next: Next | undefined
  const leave = (to: Next): void => {
    next = to
    sheet.close()
  }
  const buttons: readonly [string, { readonly label: string; readonly isRestored?: true }][] = Object.entries(
    options.leave ?? {},
  )
  const sheet = openSheet(setting, {
    title,
    draft: name,
    fields: controls.map((control) => control.name),
    submit,
    refused,
    valuesOf: (data) => ({ ...entries.valuesIn(data), [placeName]: textIn(data, placeName) }),
    check: (data) => entries.wrongIn(data),
    send: (data) => send(entries.valuesIn(data)),
    content: (
      <>
        {draft && (
          <p class="notice" role="status">
            {setting.words.contribute.draftRestored}
          </p>
        )}
        {notes?.(() => sheet.close())}
        <WaypointFields
          setting={setting}
          entries={entries}
          isOpen={isOpen}
          madeName={madeName}
          label={label}
        />
      </>
    ),
    more: buttons.map(
      ([to, { label, isRestored }]) =>
        (draft || !isRestored) && (
          <Button key={to} kind="quiet" text={label} onPress={() => leave(to as Next)} />
        ),
    ),
  })
  await sheet.closed
  return next
}
