/** The least and the most of several things, by one key after the other; the first of equals. */

export type Key<T> = (item: T) => number;

export function leastBy<T>(items: Iterable<T>, ...keys: readonly Key<T>[]): T {
  return firstBy(items, (left, right) => compare(left, right, keys) < 0);
}

export function mostBy<T>(items: Iterable<T>, ...keys: readonly Key<T>[]): T {
  return firstBy(items, (left, right) => compare(left, right, keys) > 0);
}

function firstBy<T>(items: Iterable<T>, comesBefore: (left: T, right: T) => boolean): T {
  const [first, ...rest] = items;
  if (first === undefined) throw new RangeError("there is nothing to take one of");
  return rest.reduce((best, item) => (comesBefore(item, best) ? item : best), first);
}

function compare<T>(left: T, right: T, keys: readonly Key<T>[]): number {
  for (const key of keys) {
    const difference = key(left) - key(right);
    if (difference !== 0) return difference;
  }
  return 0;
}
