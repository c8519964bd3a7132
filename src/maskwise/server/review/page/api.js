// Requests to the server of this page, one after the other where they write.

let last = Promise.resolve();

async function send(method, path, body, version) {
  const headers = { "Content-Type": "application/json" };
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  const options = { method, headers, credentials: "same-origin", cache: "no-store" };
  if (body !== undefined) options.body = JSON.stringify(body);
  const response = await fetch(path, options);
  const answer = await response.json();
  if (response.ok) return answer;
  const error = new Error(answer.error ?? String(response.status));
  error.status = response.status;
  error.now = answer.now;
  throw error;
}

export const get = (path) => send("GET", path);

// `version` is a function: it is asked when the writes before this one are answered.
export function post(path, body, version = () => undefined) {
  const next = last.then(() => send("POST", path, body, version()));
  last = next.catch(() => undefined);
  return next;
}

export const settle = () => last;
