const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** Ids as a list: 1, 2 and 3. */
export function idsText(ids: readonly number[]): string {
  return list.format(ids.map(String))
}

/** Entries by their ids, such as `entries 1 and 2`. */
export function entriesText(ids: readonly number[]): string {
  return `${ids.length === 1 ? 'entry' : 'entries'} ${idsText(ids)}`
}

/** An amount, such as `1,200 entries`. */
export function counted(count: number, one = 'entry', several = 'entries'): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`
}
