import { expect, test } from 'vitest'
import { mustHaveNoPasswords } from '../src/passwords.ts'

test.each([
  ['--db', 'postgres://ada:secret@db.example/town'],
  ['--db=postgres://ada:secret@db.example/town'],
  ['--db', 'postgresql://:secret@db.example/town'],
  ['--db', 'postgres://db.example/town?sslmode=require&passw%6Frd=secret'],
  ['--db', 'postgres://ada:sec@ret/x@db.example/town'],
  ['--db', 'Postgres:/ada:secret@db.example/town'],
  ['--db', ' "postgres://ada:secret@db.example/town"'],
  ['--db', 'mysql://ada:secret@db.example/town'],
])('a password on the command line is refused, and not repeated: %s %s', (...args: string[]) => {
  expect(() => mustHaveNoPasswords(['stats', ...args])).toThrow(/^--db has a password.*OPENFOUNTAIN_DB$/u)
  expect(() => mustHaveNoPasswords(['stats', ...args])).not.toThrow(/sec/u)
})

test('an address that is no option is refused as well, in any place', () => {
  const address = 'postgres://ada:secret@db.example/town'
  for (const args of [[address], ['copy', address, 'town.db'], ['copy', '--', 'town.db', address]])
    expect(() => mustHaveNoPasswords(args)).toThrow(/^The address of a database has a password/u)
})

test.each([
  ['--db', 'postgres://ada@a.example:5432,b.example/town?sslmode=require'],
  ['--db', 'postgres://ada:@db.example/town'],
  ['--db', 'postgres://'],
  ['--db', 'fountains.db'],
  ['--db', ':memory:'],
  ['--db', String.raw`C:\town\ada:b@c.db`],
  ['--reason', 'Ada: see ada@example.org'],
])('what has none is left alone: %s %s', (...args: string[]) => {
  expect(() => mustHaveNoPasswords(['stats', ...args])).not.toThrow()
})
