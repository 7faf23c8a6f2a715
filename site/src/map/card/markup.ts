/** Attributes by name. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>

/**
 * An element with attributes and children. A text child is inserted as text. An attribute that is `undefined` or
 * `false` is left out, `true` is set empty.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    made.setAttribute(name, value === true ? '' : value)
  }
  made.append(...children.filter((child) => child !== undefined))
  return made
}

/** The page's element with this id; undefined when it has none of that kind. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind | undefined {
  const found = document.getElementById(id)
  return found instanceof kind ? found : undefined
}
