import { describe, expect, test } from 'vitest'
import {
  checkpointOf,
  checkpointText,
  newSigningKey,
  noteText,
  parsedNote,
  signed,
  signersOf,
  signingKey,
  verifiedCheckpoint,
  verifierKey,
  verifierText,
} from '../src/index.ts'

/** The example of C2SP signed-note. */
const exampleKey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const exampleNote = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`
/** The example of C2SP tlog-cosignature. */
const exampleCheckpoint = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`
const root = 'ab'.repeat(32)
const newKey = async (name: string, kind?: 'note' | 'cosignature') =>
  signingKey(await newSigningKey(name, kind))

describe('notes', () => {
  test('the example of the specification holds, and no other text under its signature', async () => {
    const key = await verifierKey(exampleKey)
    expect(verifierText(key)).toBe(exampleKey)
    expect(await signersOf(parsedNote(exampleNote), [key])).toEqual([{ key }])
    expect(noteText(parsedNote(exampleNote))).toBe(exampleNote)
    const other = parsedNote(exampleNote.replace('This', 'That'))
    await expect(signersOf(other, [key])).rejects.toThrow(
      'has a signature of example.com/foo that does not hold',
    )
  })

  test('signatures of keys that are not known are ignored, also with the name of a known one', async () => {
    const [known, other] = [await newKey('a.example'), await newKey('a.example')]
    const note = {
      text: 'Text\n',
      signatures: [await signed('Text\n', other), await signed('Text\n', known)],
    }
    expect(await signersOf(parsedNote(noteText(note)), [known.verifier])).toEqual([{ key: known.verifier }])
    const without = { ...note, signatures: note.signatures.slice(0, 1) }
    expect(await signersOf(without, [known.verifier])).toEqual([])
  })

  test.each([
    ['without signatures', 'Text\n'],
    ['without an end of its line', exampleNote.slice(0, -1)],
    ['with a tabulator', exampleNote.replace('This', '\tThis')],
    ['with half a character', exampleNote.replace('This', '\ud800')],
    ['with a line that is no signature', `${exampleNote}Text\n`],
    ['with base 64 that has another form', exampleNote.replace('aQM=', 'aQN=')],
    ['with too many signatures', exampleNote + exampleNote.split('\n\n')[1]?.repeat(100)],
  ])('one %s is none', (_, text) => {
    expect(() => parsedNote(text)).toThrow(/^(?:is|has) /u)
  })

  test.each(['', 'a+b+c', exampleKey.replace('530d', '530e'), exampleKey.slice(0, -4), `${exampleKey}====`])(
    'a verifier key %j is refused',
    async (text) => {
      await expect(verifierKey(text)).rejects.toThrow(/^(?:is not a verifier key|has an id)/u)
    },
  )

  test('an incomplete private key is refused without being repeated', async () => {
    const text = await newSigningKey('a.example')
    for (const wrong of [text.slice(0, -4), text.replace('a.example', 'b.example')])
      await expect(signingKey(wrong)).rejects.toThrow(
        /^(?:is not a private key: PRIVATE\+KEY\+NAME|has an id)/u,
      )
    await expect(newSigningKey('a b')).rejects.toThrow('must have a name without spaces')
  })
})

test('checkpoints: the example of the specification is read', () => {
  const note = parsedNote(exampleCheckpoint)
  const checkpoint = checkpointOf(note)
  expect(checkpoint).toEqual({
    origin: 'example.com/behind-the-sofa',
    size: 20_852_163,
    root: '0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62',
  })
  expect(checkpointText(checkpoint)).toBe(note.text)
  expect(note.signatures.map(({ bytes }) => bytes.length)).toEqual([64, 72])
  expect(noteText(note)).toBe(exampleCheckpoint)
})

test.each(['\n1\nAA==\n', 'a\n01\n', 'a\n1\nAA==\n', 'a\n-1\n', 'a\n9007199254740993\n'])(
  'checkpoints: %j is none',
  (text) => {
    const whole = text.split('\n').length > 3 ? text : `${text}${'A'.repeat(43)}=\n`
    expect(() => checkpointOf({ text: whole, signatures: [] })).toThrow('is not a checkpoint')
  },
)

test('checkpoints hold with a key of the log; those who watch it say when', async () => {
  const [key, old, witness] = [
    await newKey('a.example'),
    await newKey('a.example'),
    await newKey('w.example', 'cosignature'),
  ]
  const text = checkpointText({ origin: 'a.example', size: 3, root })
  const signatures = [
    await signed(text, key),
    await signed(text, old),
    await signed(text, witness, 1_700_000_000),
  ]
  const source = noteText({ text, signatures })
  const keys = [key, witness].map(({ verifier }) => verifier)
  expect(await verifiedCheckpoint(source, keys)).toMatchObject({
    size: 3,
    root,
    signers: [{ key: key.verifier }],
    cosigners: [{ key: witness.verifier, time: 1_700_000_000 }],
  })
  expect((await verifiedCheckpoint(source, [old.verifier])).signers).toHaveLength(1)
  await expect(verifiedCheckpoint(source, [witness.verifier])).rejects.toThrow(
    'is not signed by a key of the log',
  )
  const later = { ...signatures[2], bytes: signatures[2]?.bytes.with(7, 1) } as (typeof signatures)[0]
  await expect(
    verifiedCheckpoint(noteText({ text, signatures: [...signatures.slice(0, 2), later] }), keys),
  ).rejects.toThrow('has a signature of w.example that does not hold')
})

test('checkpoints: one of another log does not count, although its key is known', async () => {
  const key = await newKey('b.example')
  const text = checkpointText({ origin: 'a.example', size: 3, root })
  const source = noteText({ text, signatures: [await signed(text, key)] })
  await expect(verifiedCheckpoint(source, [key.verifier])).rejects.toThrow(
    'is not signed by a key of the log',
  )
})
