// The one place where code points, in which the server counts, become UTF-16 units, in which the browser counts.

export class Offsets {
  constructor(text) {
    this.wide = []; // the code points that have two units
    let points = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (isPair(text, at)) {
        this.wide.push(points);
        at += 1;
      }
      points += 1;
    }
    this.points = points;
  }

  toUnits(point) {
    return point + countBelow(this.wide, (wide) => wide < point);
  }

  // A unit inside a pair belongs to the code point that the pair is.
  toPoints(unit) {
    return unit - countBelow(this.wide, (wide, at) => wide + at < unit);
  }
}

function isPair(text, at) {
  const high = text.charCodeAt(at);
  if (high < 0xd800 || high > 0xdbff || at + 1 >= text.length) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

// How many elements at the beginning of a sorted list pass a test.
export function countBelow(list, passes) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(list[middle], middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
