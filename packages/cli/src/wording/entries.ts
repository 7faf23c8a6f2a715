const list = new Intl.ListFormat('en', { type: 'conjunction' })

export function idsText(ids: readonly number[]): string {
  return list.format(ids.map(String))
}

export function entriesText(ids: readonly number[]): string {
  return `${ids.length === 1 ? 'entry' : 'entries'} ${idsText(ids)}`
}

/** An amount, such as `1,200 entries`. */
export function counted(count: number, one = 'entry', several = 'entries'): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`
}
