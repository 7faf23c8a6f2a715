const list = new Intl.ListFormat('en', { type: 'conjunction' })

export const idsText = (ids: readonly number[]): string => list.format(ids.map(String))

export const entriesText = (ids: readonly number[]): string =>
  `${ids.length === 1 ? 'entry' : 'entries'} ${idsText(ids)}`

export const counted = (count: number, one = 'entry', several = 'entries'): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`
