import { waypointFields, type Field as Description } from '@openfountain/core/fields'
import { limits } from '@openfountain/core/rules'
import { vocabulary } from '@openfountain/core/vocabulary'
import type { ComponentChildren } from 'preact'
import { titleOf, type DeclaredField } from '../../custom-fields.ts'
import { capitalised } from '../../hours/season.ts'
import { Field, Flag, Select, Toggles, type FieldProps, type Option } from '../../ui/form.tsx'
import { customName, placeName } from '../members.ts'
import type { Setting } from '../setting.ts'
import { fieldName } from '../wording.ts'
import { SeasonField, seasonOf, seasonTexts } from './season.tsx'

export interface Control {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind: Kind
  readonly input?: Partial<FieldProps>
  readonly options?: readonly Option[]
}

/** How a kind of value is entered. A form has it as one text or several. */
interface Kind {
  textsOf(value: unknown): readonly string[]
  /** The value of trimmed texts, of which one at least is not empty. */
  valueOf(texts: readonly string[]): unknown
  /** The value of nothing; default undefined. */
  readonly nothing?: unknown
  view(setting: Setting, control: Control, texts: readonly string[]): ComponentChildren
}

const single = (
  view: Kind['view'],
  textOf: (value: unknown) => string | false = (value) => typeof value === 'string' && value,
  valueOf: (text: string) => unknown = (text) => text,
): Kind => ({ view, textsOf: (value) => [textOf(value) || ''], valueOf: ([text = '']) => valueOf(text) })

const several = (view: Kind['view'], nothing?: unknown): Kind => ({
  view,
  textsOf: (value) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []),
  valueOf: (texts) => texts,
  nothing,
})

const input: Kind['view'] = (_, { name, label, hint, input: attributes }, [text]) => (
  <Field key={name} name={name} label={label} hint={hint} defaultValue={text} {...attributes} />
)
const select: Kind['view'] = ({ words }, { name, label, hint, options = [] }, [text]) => (
  <Select
    key={name}
    name={name}
    label={label}
    hint={hint}
    chosen={text}
    options={[{ value: '', label: words.contribute.unknown }, ...options]}
  />
)

const toggles: Kind['view'] = (_, { options = [], ...control }, texts) => (
  <Toggles key={control.name} {...control} options={withOthers(options, texts)} chosen={texts} />
)

const kinds = {
  text: single(input),
  number: single(input, (value) => typeof value === 'number' && String(value), Number),
  lines: single(
    input,
    (value) => Array.isArray(value) && value.join('\n'),
    (text) =>
      text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
  ),
  choice: single(select),
  boolean: single(
    select,
    (value) => typeof value === 'boolean' && String(value),
    (text) => text === 'true',
  ),
  flag: {
    textsOf: (value) => (value === true ? ['yes'] : []),
    valueOf: () => true,
    nothing: false,
    view: (_, { name, label, hint }, texts) => (
      <Flag key={name} name={name} label={label} hint={hint} defaultChecked={texts.length > 0} />
    ),
  },
  several: several(toggles),
  amenities: several(amenities, []),
  season: {
    textsOf: seasonTexts,
    valueOf: seasonOf,
    view: (setting, { name, label, hint }, texts) => (
      <SeasonField key={name} setting={setting} name={name} label={label} hint={hint} texts={texts} />
    ),
  },
} satisfies Readonly<Record<string, Kind>>

/** Values that are no longer declared stay, and can be removed. */
const withOthers = (options: readonly Option[], chosen: readonly string[]): readonly Option[] => [
  ...options,
  ...chosen
    .filter((value) => options.every((option) => option.value !== value))
    .map((value) => ({ value, label: value })),
]

function amenities(setting: Setting, { name }: Control, texts: readonly string[]) {
  const { kindLegend, featuresLegend } = setting.words.contribute
  const options = (role: string): readonly Option[] =>
    Object.entries(vocabulary).flatMap(([key, one]) =>
      one.role === role ? [{ value: key, label: setting.page.amenity(key), icon: key }] : [],
    )
  const kindOptions = options('kind')
  const others = texts.filter((key) => kindOptions.every(({ value }) => value !== key))
  return (
    <>
      <Toggles name={name} label={kindLegend} options={kindOptions} chosen={texts} />
      <Toggles
        name={name}
        label={featuresLegend}
        options={withOthers(options('feature'), others)}
        chosen={texts}
        isSilent
      />
    </>
  )
}

/** Texts with at least this maximum length get several lines. */
const longText = 500

const textInput = (maxLength = longText): Partial<FieldProps> => ({
  maxLength,
  spellcheck: true,
  ...(maxLength > longText && { rows: 3 }),
})

function controlOf(setting: Setting, name: string, { type, values = [], maxLength }: Description): Control {
  const { words, page, format } = setting
  const hints: Readonly<Record<string, string>> = words.contribute.hint
  // The translations have the name as it is written within a sentence.
  const named = { name, label: capitalised(format.tag, fieldName(setting, name)), hint: hints[name] ?? '' }
  switch (type) {
    case 'words':
      return { ...named, kind: kinds.amenities }
    case 'season':
    case 'flag':
      return { ...named, kind: kinds[type] }
    case 'choice':
      return {
        ...named,
        kind: kinds[type],
        options: values.map((value) => ({ value, label: page.find(`fact.${name}.${value}`) ?? value })),
      }
    case 'address':
      return { ...named, kind: kinds.text, input: addressInput }
    default:
      return { ...named, kind: kinds.text, input: textInput(maxLength) }
  }
}

const addressInput: Partial<FieldProps> = {
  type: 'url',
  inputMode: 'url',
  placeholder: 'https://',
  maxLength: 2000,
  pattern: String.raw`[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+`,
}

/** The control of a custom field by its declaration. A value stored under an earlier one stays until it is changed. */
function customControl({ words: { contribute }, format }: Setting, field: DeclaredField): Control {
  const { type, description, items, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = field
  const limitsOf = [
    ['≥', minimum],
    ['>', exclusiveMinimum],
    ['≤', maximum],
    ['<', exclusiveMaximum],
  ] as const
  // Without the limits that zod gives every integer.
  const range = limitsOf.flatMap(([sign, limit]) =>
    limit === undefined || Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? [] : [`${sign} ${limit}`],
  )
  const hint = [description, ...range].filter(Boolean).join(' · ')
  const named = { name: customName(field.name), label: format.isolate(titleOf(field)), hint }
  const optionsOf = (values: readonly string[]): readonly Option[] =>
    values.map((value) => ({ value, label: value }))
  switch (type) {
    case 'boolean':
      return {
        ...named,
        kind: kinds[type],
        options: [
          { value: 'true', label: contribute.yes },
          { value: 'false', label: contribute.no },
        ],
      }
    case 'integer':
    case 'number':
      return {
        ...named,
        kind: kinds.number,
        input: {
          type: 'number',
          inputMode: 'decimal',
          step: type === 'integer' ? 1 : 'any',
          min: minimum,
          max: maximum,
          'data-stored': '',
        },
      }
    case 'array':
      return items?.enum
        ? { ...named, kind: kinds.several, options: optionsOf(items.enum) }
        : {
            ...named,
            hint: [hint, contribute.onePerLine].filter(Boolean).join(' '),
            kind: kinds.lines,
            input: { rows: 3 },
          }
    default:
      return field.enum
        ? { ...named, kind: kinds.choice, options: optionsOf(field.enum) }
        : { ...named, kind: kinds.text, input: { ...customInput(field), 'data-stored': '' } }
  }
}

function customInput({ format, maxLength }: DeclaredField): Partial<FieldProps> {
  const most = Math.min(maxLength ?? limits.properties.text, limits.properties.text)
  if (format === 'date') return { type: 'date' }
  if (format === 'uri') return { type: 'url', placeholder: 'https://', maxLength: most }
  if (format === 'date-time') return { placeholder: '2026-06-30T12:00:00Z', maxLength: most }
  // Without a maximum it is more likely an inventory number than a description.
  return maxLength === undefined ? { maxLength: most } : textInput(most)
}

export interface ControlsOptions {
  /** The names of the offered fields; default all that this user may set. */
  readonly only?: readonly string[] | undefined
  /** Whether the fountain is new: it has no flags yet, and its name may be made. */
  readonly isNew: boolean
}

/** The controls of a fountain's writable fields: the name, the amenities and the position first. */
export function waypointControls(setting: Setting, { only, isNew }: ControlsOptions): readonly Control[] {
  const { coordinates, coordinatesHint } = setting.words.contribute
  const isModerator = typeof setting.visitor === 'object' && setting.visitor.isModerator
  const described: readonly (readonly [string, Description])[] = Object.entries(waypointFields)
  const own = described
    .filter(([, { setBy }]) => setBy === 'editors' || (isModerator && setBy === 'moderators'))
    .filter(([, { type }]) => !['degrees', 'properties', ...(isNew ? ['flag'] : [])].includes(type))
    .map(([name, field]) => controlOf(setting, name, field))
  const isFirst = ({ name }: Control): boolean => name === 'name' || name === 'amenities'
  return [
    ...own.filter(isFirst),
    { name: placeName, label: coordinates, hint: coordinatesHint, kind: kinds.text, input: { dir: 'ltr' } },
    ...[
      ...own.filter((one) => !isFirst(one)),
      ...setting.words.custom.map((one) => customControl(setting, one)),
    ].filter(({ name }) => only?.includes(name) ?? true),
  ]
}
