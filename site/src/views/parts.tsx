import type { ComponentChildren } from 'preact'
import { nameIn, unnamedOf, type Nameable, type PlaceName } from '../naming.ts'
import { mirroredIcons } from '../ui/icon.tsx'
import { usePage } from './on-page.tsx'
import type { Page } from './page.ts'

export interface IconProps {
  readonly name: string
  /** The accessible label, when no text beside the icon has the same meaning. */
  readonly label?: string
  /** The key of its label, where a script translates it. */
  readonly labelKey?: string | undefined
  readonly class?: string
  /** Degrees clockwise, or an angle of CSS. */
  readonly turn?: number | string
}

export function Icon({ name, label, labelKey, class: more, turn }: IconProps) {
  const page = usePage()
  const names = ['icon', mirroredIcons.has(name) && 'mirrored', more].filter(Boolean).join(' ')
  return (
    <svg
      class={names}
      style={turn === undefined ? undefined : { rotate: typeof turn === 'number' ? `${turn}deg` : turn }}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      data-t-label={labelKey}
      aria-hidden={label === undefined ? 'true' : undefined}
    >
      <use href={`${page.icons}#${name}`} />
    </svg>
  )
}

export function FountainName({ fountain }: { readonly fountain: Nameable }) {
  const page = usePage()
  const unnamed = unnamedOf(fountain)
  if (unnamed === undefined) return <bdi>{fountain.name}</bdi>
  const { kind, where } = unnamed
  return (
    <bdi>
      <span {...page.saidOr(`amenity.${kind}`, kind)} />
      {where && ', '}
      {where && <NameOfPlace place={where} />}
    </bdi>
  )
}

export function NameOfPlace({ place }: { readonly place: PlaceName }) {
  const page = usePage()
  const { name, names } = place
  const shown = nameIn(place, page.format.tag)
  return names && page.isSwitched ? (
    <span data-names={JSON.stringify({ '': name, ...names })}>{shown}</span>
  ) : (
    shown
  )
}

/** A contributor, or who wrote something without being one. */
export interface Person {
  readonly id: string
  /** Absent for a program and for a deleted account. */
  readonly name?: string
  readonly isModerator?: true
  /** The person's part of the address of their page, where they have one. */
  readonly slug?: string
}

export function PersonName({ person }: { readonly person: Person }) {
  const page = usePage()
  const { id, name, slug } = person
  if (name === undefined)
    return <span {...page.said(id === 'api' ? 'contributors.system' : 'contributors.former')} />
  if (slug === undefined)
    return (
      <span>
        <bdi>{name}</bdi>
      </span>
    )
  return (
    <a href={`${page.base}contributor/${slug}/`}>
      <bdi>{name}</bdi>
    </a>
  )
}

export function PersonWithBadge({ person }: { readonly person: Person }) {
  const page = usePage()
  return (
    <>
      <PersonName person={person} />
      {person.isModerator && (
        <>
          {' '}
          <span class="badge tag-verified moderator" {...page.said('contributors.moderator')} />
        </>
      )}
    </>
  )
}

export interface Subject {
  readonly id: number
  /** Absent where no name is known. */
  readonly fountain?: Nameable
  readonly hasPage: boolean
  readonly isGone?: boolean
}

/** The title of a subject, with a link; of a deleted one without. */
export function SubjectName({
  subject,
  class: name,
}: {
  readonly subject: Subject
  readonly class?: string
}) {
  const page = usePage()
  const { id, fountain, hasPage, isGone = false } = subject
  const title = fountain === undefined ? <bdi>{`#${id}`}</bdi> : <FountainName fountain={fountain} />
  if (isGone) return name === undefined ? title : <span class={name}>{title}</span>
  return (
    <a class={name} href={page.fountain(id, hasPage)}>
      {title}
    </a>
  )
}

export const UserText = ({
  text,
  class: name = 'text-user',
}: {
  readonly text: string | null | undefined
  readonly class?: string
}) =>
  text ? (
    <p class={name} dir="auto" lang="">
      {text}
    </p>
  ) : null

export function Stars({ rating }: { readonly rating: number }) {
  const page = usePage()
  return (
    <span
      class="stars"
      role="img"
      data-stars={page.key(String(rating))}
      aria-label={page.text('waypoint.stars', { n: page.format.number(rating) })}
    >
      {[1, 2, 3, 4, 5].map((star) => (
        <Icon key={star} name="star" class={star <= Math.round(rating) ? 'star-full' : 'star-empty'} />
      ))}
    </span>
  )
}

export interface TagProps {
  readonly icon: string
  readonly tone?: 'verified' | 'warm' | undefined
  readonly children: ComponentChildren
}

export const Tag = ({ icon, tone, children }: TagProps) => (
  <span class={tone === undefined ? 'tag' : `tag tag-${tone}`}>
    <Icon name={icon} />
    {children}
  </span>
)

const untouched = { __html: '' }

/** The attributes of an element whose content other scripts own: it is built, and never rendered again. */
export function owned(page: Page, content: () => ComponentChildren) {
  return page.isBuilt ? { children: content() } : { dangerouslySetInnerHTML: untouched }
}
