import { optionalFields, waypointFields, type Field, type OptionalValues } from '@openfountain/core/fields'

const seasons = ['04-01/10-31', '11-15/02-29', '01-01/12-31', '07-04/07-04']

function samples({ type, values = [] }: Field, text: string): readonly string[] {
  if (type === 'choice') return values
  if (type === 'season') return seasons
  return [type === 'address' ? 'https://example.org/a.jpg?x=1&y=2' : text]
}

/**
 * A value of each optional field.
 *
 * @param text of the fields that take any text
 * @param turn which value of a choice or season, counted round and round
 */
export function sampleValues(text: string, turn = 0): OptionalValues {
  return Object.fromEntries(
    optionalFields.map((name) => {
      const all = samples(waypointFields[name], text)
      return [name, all[turn % all.length]]
    }),
  )
}
