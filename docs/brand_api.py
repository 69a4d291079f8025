"""A small client of the Brand Integration API, for Python 3 without packages. docs/integrating.md says how to use it."""

import email.utils
import http.client
import json
import os
import re
import time
import urllib.error
import urllib.request
import uuid

BASE = os.environ["BRAND_API_URL"].rstrip("/").removesuffix("/api/brand/v1").rstrip("/") + "/api/brand/v1"
KEY = os.environ["BRAND_API_KEY"].strip()
if not re.fullmatch("[!-~]+", KEY):  # Sent, it would appear in an error.
    raise ValueError("BRAND_API_KEY is not a key. Copy it again.")


class ApiError(Exception):
    """An error of the service has its status, and as code its X-Error. Otherwise both are None, and the request may be done."""

    def __init__(self, message, status=None, code=None):
        super().__init__(message)
        self.status = status
        self.code = code


# A redirect would turn a POST into a GET, and take the key to another host.
redirects = urllib.request.HTTPRedirectHandler()
redirects.redirect_request = lambda *_: None
opener = urllib.request.build_opener(redirects)


def is_from_service(status, text):
    """Whether an error is the service's: a status that it sends, with its text and nothing else."""
    if status > 500 and status != 503:
        return False
    try:
        body = json.loads(text)
    except ValueError:
        return False
    return isinstance(body, dict) and list(body) == ["error"] and isinstance(body["error"], str)


def seconds_until(retry_after):
    """How long to wait for a Retry-After, which is in seconds or a date."""
    if retry_after.isdigit():
        return int(retry_after)
    try:
        return email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time()
    except (TypeError, ValueError):
        return 0


def call(method, path, body=None, **headers):
    """Sends a request. Returns the body of the response, None if it is 304, and its headers."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    headers["Authorization"] = f"Bearer {KEY}"
    headers["User-Agent"] = "brand_api.py/1.0"  # Cloudflare refuses Python's own name.
    if method == "POST":
        headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
    data = None if body is None else json.dumps(body).encode()
    # A PUT or PATCH whose response is lost could overwrite a newer change.
    is_safe = method in ("GET", "POST", "DELETE")
    may_be_done = False
    for tried in range(5):
        request = urllib.request.Request(BASE + path, data, headers, method=method)
        wait = 0.5 * 2**tried
        try:
            try:
                response = opener.open(request, timeout=30)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                status, text, got = response.status, response.read(), response.headers
            if status == 304:
                return None, got
            if status < 300:
                return json.loads(text), got
            if status < 400:
                text = f"redirected to {got['Location']}".encode()
            message = f"{status}: {text.decode(errors='replace')}"
            if got["X-Request-Id"]:
                message += f" (request {got['X-Request-Id']})"
            wait = max(wait, seconds_until(got.get("Retry-After", "")))
            if is_from_service(status, text):
                if status == 404 and method == "DELETE" and may_be_done:
                    return {"success": True}, got  # An earlier try deleted it.
                failure = ApiError(message, status, got["X-Error"])
                # A 503 may be about a write that is done.
                repeat = status == 429 or (status == 503 and is_safe)
                may_be_done = may_be_done or status == 503
            else:
                # A gateway's error: it says nothing about the resource, and the response of the service may be lost.
                failure = ApiError(message)
                repeat = may_be_done = (status == 429 or status >= 500) and is_safe
        except (OSError, http.client.HTTPException, ValueError) as error:
            # The response is lost, or broke off.
            failure = ApiError(f"lost response: {error!r}")
            repeat = may_be_done = is_safe
        if not repeat or tried == 4 or wait > 60:
            raise failure
        time.sleep(wait)


def pages(path):
    """Reads a list page by page."""
    seen = {path}
    while path:
        body, headers = call("GET", path)
        link = re.search(r'/api/brand/v1([^>]*)>; rel="next"', headers.get("Link", ""))
        path = link and link[1]
        if path in seen:  # Otherwise a cache that ignores the query would make the list endless.
            raise ApiError("a link to an earlier page")
        seen.add(path)
        yield body
