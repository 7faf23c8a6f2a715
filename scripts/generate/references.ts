import path from 'node:path'
import ts from 'typescript'
import { root } from '../packages/folders.ts'

/** A function, a method, a class or a member of an interface, with the name by which people call it. */
export interface Declared {
  readonly node: ts.Node
  readonly name: string
  /** From the root of the workspace. */
  readonly file: string
  /** The first sentence of its docstring, in one line. */
  readonly about: string
}

const isMember = (
  node: ts.Node,
): node is ts.MethodDeclaration | ts.MethodSignature | ts.PropertyDeclaration =>
  ts.isMethodDeclaration(node) || ts.isMethodSignature(node) || ts.isPropertyDeclaration(node)

/** The sources reachable from some files, with the references between their declarations. */
export class Sources {
  readonly #checker: ts.TypeChecker
  readonly #program: ts.Program

  constructor(...files: readonly string[]) {
    const { config } = ts.readConfigFile(path.join(root, 'tsconfig.sources.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
    this.#program = ts.createProgram(
      files.map((file) => path.join(root, file)),
      options,
    )
    this.#checker = this.#program.getTypeChecker()
  }

  /** The top-level declarations of a folder's files, and the members of their classes and interfaces. */
  declaredIn(folder: string): Declared[] {
    return this.#program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(path.join(root, folder)))
      .toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1))
      .flatMap((source) => source.statements.flatMap((statement) => this.#declared(statement)))
  }

  #declared(statement: ts.Statement): Declared[] {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map((node) => this.#described(node, node.name.getText()))
    if (ts.isFunctionDeclaration(statement) && statement.name)
      return [this.#described(statement, statement.name.text)]
    if (!ts.isClassDeclaration(statement) && !ts.isInterfaceDeclaration(statement)) return []
    const name = statement.name?.text ?? ''
    const members = [...statement.members].filter((member) => isMember(member))
    return [
      this.#described(statement, name),
      ...members.map((node) => this.#described(node, `${name}.${node.name.getText()}`)),
    ]
  }

  #described(node: ts.Node, name: string): Declared {
    const symbol = this.#checker.getSymbolAtLocation((node as { name?: ts.Node }).name ?? node)
    const text = ts
      .displayPartsToString(symbol?.getDocumentationComment(this.#checker))
      .replaceAll(/\s+/gu, ' ')
    const about = /^.*?[.:;](?= |$)/u.exec(text)?.[0].replace(/[.:;]$/u, '') ?? text
    return { node, name, file: path.relative(root, node.getSourceFile().fileName), about }
  }

  /**
   * The declarations that a declaration refers to by name outside of types, in the order of its text; each once. A
   * class stands for its constructor, and a member for the value that the constructor assigns to it.
   */
  referredBy({ node }: Pick<Declared, 'node'>): ts.Node[] {
    const found = new Set<ts.Node>()
    const visit = (each: ts.Node): void => {
      if (ts.isTypeNode(each)) return
      if (ts.isIdentifier(each) || ts.isPrivateIdentifier(each)) {
        const symbol = this.#checker.getSymbolAtLocation(each)
        const target =
          symbol && symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
        for (const declaration of target?.declarations ?? []) if (declaration !== node) found.add(declaration)
      }
      ts.forEachChild(each, visit)
    }
    for (const part of bodiesOf(node)) visit(part)
    return [...found]
  }

  /** The members of classes that implement a member of an interface. */
  implementing({ node }: Pick<Declared, 'node'>, all: readonly Declared[]): Declared[] {
    const { parent } = node
    if (!ts.isInterfaceDeclaration(parent)) return []
    const member = (node as ts.MethodSignature).name.getText()
    return all.filter(
      (one) =>
        ts.isMethodDeclaration(one.node) &&
        one.node.name.getText() === member &&
        ts.isClassDeclaration(one.node.parent) &&
        (one.node.parent.heritageClauses ?? []).some((clause) =>
          clause.types.some(
            ({ expression }) =>
              clause.token === ts.SyntaxKind.ImplementsKeyword && expression.getText() === parent.name.text,
          ),
        ),
    )
  }

  /** Whether a declaration has an object literal with a member of this name. */
  hasLiteral({ node }: Pick<Declared, 'node'>, member: string): boolean {
    const visit = (each: ts.Node): boolean =>
      (ts.isObjectLiteralExpression(each) && names(each, member)) || ts.forEachChild(each, visit) === true
    return visit(node)
  }

  /**
   * The possible values of members in the object literals of a declaration: of literals that have all of them, and that
   * set the last one themselves.
   */
  literals({ node }: Pick<Declared, 'node'>, members: readonly string[]): string[][] {
    const rows: string[][] = []
    const visit = (each: ts.Node): void => {
      if (ts.isObjectLiteralExpression(each) && names(each, members.at(-1) ?? '')) {
        const type = this.#checker.getTypeAtLocation(each)
        const values = members.map((member) => {
          const property = type.getProperty(member)
          return property === undefined
            ? []
            : textsOf(this.#checker.getTypeOfSymbolAtLocation(property, each))
        })
        rows.push(...rowsOf(values))
      }
      ts.forEachChild(each, visit)
    }
    visit(node)
    return rows
  }

  /** The possible values of arguments, by their places, in the calls of a function in a declaration. */
  calls({ node }: Pick<Declared, 'node'>, called: string, places: readonly number[]): string[][] {
    const rows: string[][] = []
    const visit = (each: ts.Node): void => {
      if (ts.isCallExpression(each) && each.expression.getText() === called) {
        const given = places.flatMap((place) => each.arguments[place] ?? [])
        rows.push(...rowsOf(given.map((one) => textsOf(this.#checker.getTypeAtLocation(one)))))
      }
      ts.forEachChild(each, visit)
    }
    visit(node)
    return rows
  }
}

/** Every choice of one value each. */
function rowsOf(values: readonly (readonly string[])[]): string[][] {
  return values.reduce<string[][]>(
    (all, some) => all.flatMap((row) => some.map((one) => [...row, one])),
    [[]],
  )
}

/** The executable parts of a declaration. */
function bodiesOf(node: ts.Node): readonly ts.Node[] {
  const constructorOf = (one: ts.Node) =>
    ts.isClassDeclaration(one) ? one.members.find(ts.isConstructorDeclaration)?.body : undefined
  if (ts.isClassDeclaration(node)) return [constructorOf(node)].flatMap((body) => body ?? [])
  if (!ts.isPropertyDeclaration(node))
    return ts.isFunctionLike(node) && 'body' in node && node.body ? [node.body as ts.Node] : [node]
  const name = node.name.getText()
  const assigned = (constructorOf(node.parent)?.statements ?? []).flatMap((statement) =>
    ts.isExpressionStatement(statement) &&
    ts.isBinaryExpression(statement.expression) &&
    statement.expression.left.getText() === `this.${name}`
      ? [statement.expression.right]
      : [],
  )
  return [...(node.initializer ? [node.initializer] : []), ...assigned]
}

function names({ properties }: ts.ObjectLiteralExpression, member: string): boolean {
  return properties.some((one) => one.name !== undefined && one.name.getText() === member)
}

function textsOf(type: ts.Type): string[] {
  const parts = type.isUnion() ? type.types : [type]
  return parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []))
}
