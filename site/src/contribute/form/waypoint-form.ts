import { waypointFields, type Field } from '@openfountain/core/fields'
import type { Waypoint } from '@openfountain/core'
import { element } from '../../map/card/markup.ts'
import type { Position } from '../../map/page/position.ts'
import { parsePosition, positionText } from '../place/coordinates.ts'
import { fieldProblem } from '../problems.ts'
import type { Setting } from '../setting.ts'
import { Amenities } from './amenities.ts'
import { flat, memberOf } from '../members.ts'
import { mark, type Control } from './control.ts'
import { controlOf, hintOf, labelled, labelOf, ofEntry, type EntryControl } from './controls.ts'
import { customControl } from './custom-controls.ts'
import type { Values } from './changes.ts'

export interface WaypointFormOptions {
  /** The offered fields; default all that this user may set. */
  readonly only?: readonly string[]
  /** The generated name of an unnamed fountain; without this, a name is required. */
  madeName?(values: Values): string
  /** Whether further fields are unfolded at first; default folded. */
  readonly isOpen?: boolean
  onChange(): void
}

/** These fields have controls of their own at the top; custom fields follow at the end. */
const placed = new Set(['name', 'latitude', 'longitude', 'amenities', 'properties'])

/** The writable fields of a fountain, by their descriptions. */
export class WaypointForm {
  readonly root: HTMLElement
  readonly #setting: Setting
  readonly #options: WaypointFormOptions
  readonly #name: EntryControl<HTMLInputElement>
  readonly #place: PlaceField
  readonly #amenities: Amenities
  readonly #others: readonly Control[]
  readonly #fold: HTMLDetailsElement

  constructor(setting: Setting, options: WaypointFormOptions) {
    this.#setting = setting
    this.#options = options
    const isModerator = typeof setting.visitor === 'object' && setting.visitor.isModerator
    this.#name = nameField(setting)
    this.#place = new PlaceField(setting)
    this.#amenities = new Amenities(setting)
    const fields: readonly (readonly [string, Field])[] = Object.entries(waypointFields)
    const others = fields
      .filter(
        ([name, { setBy }]) =>
          !placed.has(name) && (setBy === 'editors' || (isModerator && setBy === 'moderators')),
      )
      .filter(([name]) => options.only?.includes(name) ?? true)
      // A new fountain has no flags yet.
      .filter(([, { type }]) => type !== 'flag' || !options.madeName)
      .map(([name, field]) => controlOf(setting, name, field))
    const own = setting.words.custom
      .map((field) => customControl(setting, field))
      .filter(({ name }) => options.only?.includes(name) ?? true)
    this.#others = [...others, ...own]
    this.#fold = element(
      'details',
      { class: 'contribute-fold', open: options.isOpen === true },
      element('summary', {}, setting.words.contribute.more),
      this.#place.root,
      ...this.#others.map(({ root }) => root),
    )
    const [first, second] = options.madeName
      ? [this.#amenities.root, this.#name.root]
      : [this.#name.root, this.#amenities.root]
    this.root = element('div', { class: 'contribute-fields' }, first, second, this.#fold)
    this.root.addEventListener('input', () => this.#changed())
    this.root.addEventListener('change', () => this.#changed())
  }

  /** The position of a new fountain, until another is typed. */
  set position(given: Position) {
    this.#place.position = given
    this.#showMadeName()
  }

  /** The entered values by field name; undefined where a field is empty. */
  get values(): Values {
    return {
      name: this.#name.value,
      ...this.#place.values,
      amenities: this.#amenities.value,
      ...Object.fromEntries(this.#others.map((control) => [control.name, control.value])),
    }
  }

  /** Fills the form. */
  set values(given: Values | Waypoint) {
    const values: Values = flat(given)
    this.#name.value = values['name']
    const { latitude, longitude } = values
    if (typeof latitude === 'number' && typeof longitude === 'number')
      this.#place.position = { latitude, longitude }
    this.#amenities.value = values['amenities']
    for (const control of this.#others) control.value = values[control.name]
    this.#showMadeName()
  }

  /** All entries as typed, also invalid ones. */
  get draft(): Values {
    return { ...this.values, place: this.#place.text }
  }

  set draft(given: Values) {
    this.values = given
    if (typeof given['place'] === 'string') this.#place.text = given['place']
  }

  /** Marks invalid fields and focuses the first. @returns whether all are valid */
  check(): boolean {
    return this.mark(this.#wrong())
  }

  /** Marks the fields that the server refused. @returns whether none of them is in this form */
  markRefused(names: readonly string[]): boolean {
    return this.mark(names, true)
  }

  /** Marks these fields as invalid and all others as valid, and focuses the first. @returns whether none is invalid */
  mark(names: readonly string[], isRefused = false): boolean {
    const controls: readonly (Control | PlaceField)[] = [
      this.#amenities,
      this.#name,
      this.#place,
      ...this.#others,
    ]
    const wrong = controls.filter((control) =>
      'names' in control ? control.names.some((name) => names.includes(name)) : names.includes(control.name),
    )
    for (const control of controls)
      control.problem = wrong.includes(control)
        ? this.#problemOf('names' in control ? 'latitude' : control.name, isRefused)
        : ''
    const [first] = wrong
    if (first && this.#fold.contains(first.root)) this.#fold.open = true
    first?.focus()
    return first === undefined
  }

  #problemOf(name: string, isRefused: boolean): string {
    const { problem } = this.#setting.words.contribute
    if (name === 'name' && this.#name.value === undefined) return problem.name
    // A text within the length limit was refused for its content.
    if (isRefused && fields[name]?.type === 'text') return problem.other
    return fieldProblem(this.#setting, name)
  }

  #wrong(): string[] {
    const invalid = this.#others.flatMap((control) => (isRight(control) ? [] : [control.name]))
    return [
      ...(this.#amenities.isTooMany ? ['amenities'] : []),
      ...(this.#name.value === undefined && !this.#options.madeName ? ['name'] : []),
      ...(this.#place.isRight ? [] : ['latitude']),
      ...invalid,
    ]
  }

  #changed(): void {
    this.#showMadeName()
    this.#options.onChange()
  }

  #showMadeName(): void {
    const { madeName } = this.#options
    if (!madeName) return
    const name = madeName(this.values)
    this.#name.entry.placeholder = name
    this.#name.hint.textContent = this.#setting.with(this.#setting.words.contribute.nameMade, { name })
  }
}

const fields: Readonly<Record<string, Field>> = waypointFields

/** Validates with the browser and the field's description; the server checks the rest. */
function isRight({ name, value, root, isRight: isOwn }: Control): boolean {
  if (memberOf(name) !== undefined && isOwn !== undefined) return isOwn
  const { type } = fields[name] ?? {}
  if (type === 'season')
    return (
      value === undefined ||
      (!String(value).includes('?') && !String(value).startsWith('/') && !String(value).endsWith('/'))
    )
  if (type === 'address') return value === undefined || /^https?:\/\/\S+$/iu.test(String(value))
  return [...root.querySelectorAll<HTMLInputElement>('input,select,textarea')].every(
    ({ validity }) => validity.valid,
  )
}

function nameField(setting: Setting): EntryControl<HTMLInputElement> {
  const entry = element('input', {
    type: 'text',
    maxlength: String(waypointFields.name.maxLength),
    dir: 'auto',
    autocomplete: 'off',
    enterkeyhint: 'done',
  })
  return ofEntry('name', entry, labelOf(setting, 'name'), hintOf(setting, 'name'))
}

/** Latitude and longitude as one text in any notation. */
class PlaceField {
  readonly names = ['latitude', 'longitude'] as const
  readonly root: HTMLElement
  readonly #setting: Setting
  readonly #entry = element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', dir: 'ltr' })
  readonly #problem: HTMLElement
  /** More exact than its text. */
  #exact: Position | undefined

  constructor(setting: Setting) {
    this.#setting = setting
    const { coordinates, coordinatesHint } = setting.words.contribute
    const { root, problem } = labelled(this.#entry, coordinates, coordinatesHint)
    this.root = root
    this.#problem = problem
    this.#entry.addEventListener('input', () => (this.#exact = undefined))
  }

  set position(given: Position) {
    this.#exact = given
    this.#entry.value = positionText(given)
  }

  get text(): string {
    return this.#entry.value
  }

  set text(given: string) {
    if (given === this.#entry.value) return
    this.#exact = undefined
    this.#entry.value = given
  }

  get values(): Values {
    const position = this.#exact ?? parsePosition(this.#entry.value, this.#setting.format.tag)
    return position ? { latitude: position.latitude, longitude: position.longitude } : {}
  }

  get isRight(): boolean {
    return 'latitude' in this.values
  }

  get problem(): string {
    return this.#problem.textContent
  }

  set problem(text: string) {
    mark([this.#entry], this.#problem, text)
  }

  focus(): void {
    this.#entry.focus()
  }
}
