/**
 * Handlers that return exactly what their operations declare: TypeScript by itself accepts additional members in everything
 * but literals.
 */

type Returned<Handler> = Handler extends (request: never) => Promise<infer Response> ? Response : never

type KeysOf<Type> = Type extends unknown ? keyof Type : never
type MemberOf<Type, Key> = Type extends unknown ? (Key extends keyof Type ? Type[Key] : never) : never
type IsSame<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

type Join<Path extends string, Key extends string> = Path extends '' ? Key : `${Path}.${Key}`

/** Names the members that a type has and the declared type has not; `never` if there are none. */
type Excess<Actual, Declared, Path extends string> =
  IsSame<Actual, Declared> extends true
    ? never
    : unknown extends Declared
      ? never
      : Actual extends readonly (infer Item)[]
        ? Excess<Item, Declared extends readonly (infer Other)[] ? Other : never, `${Path}[]`>
        : Actual extends object
          ? {
              [Key in keyof Actual & string]: Key extends KeysOf<NonNullable<Declared>>
                ? Excess<Actual[Key], MemberOf<NonNullable<Declared>, Key>, Join<Path, Key>>
                : `"${Join<Path, Key>}" is not declared`
            }[keyof Actual & string]
          : never

type WithStatus<Declared, Status> = Declared extends { readonly status: infer Other }
  ? Status extends Other
    ? Declared
    : never
  : never

/** By itself it distributes over the members; within a template literal, the compiler takes six times as long. */
type Describe<Status extends number, Member> = Member extends string ? `status ${Status}: ${Member}` : never

type ExcessOf<Response, Declared> = Response extends { readonly status: infer Status extends number }
  ? WithStatus<Declared, Status> extends infer Found
    ? [Found] extends [never]
      ? `the status ${Status} is not declared`
      : Describe<Status, Excess<Response, Found, ''>>
    : never
  : never

/** The type of a handler; where it returns what is not declared, a text that says so, which no handler is. */
type Exact<Handler, Declared> = [ExcessOf<Returned<Handler>, Returned<Declared>>] extends [never]
  ? Handler
  : ExcessOf<Returned<Handler>, Returned<Declared>>

/** Returns the handlers, which do not compile if one of them returns what its operation does not declare. */
export function implement<Declared>() {
  return <Handlers extends Declared>(
    handlers: Handlers & {
      [Id in keyof Declared]: Id extends keyof Handlers ? Exact<NoInfer<Handlers>[Id], Declared[Id]> : unknown
    },
  ): Handlers => handlers
}
