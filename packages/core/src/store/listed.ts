import type { Where } from '../log/working-set.ts'

/** The list of a key, which is made when there is none. */
export function listed<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  let list = lists.get(key)
  if (list === undefined) lists.set(key, (list = []))
  return list
}

/** Whether records are asked for by the reference that their source gives them. */
export function isByRef(
  where: Where<'record'>,
): where is { readonly sourceId: number; readonly ref: string } {
  return where.ref !== undefined && where.sourceId !== undefined && Object.keys(where).length === 2
}
