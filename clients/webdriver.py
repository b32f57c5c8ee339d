"""Chromium by the protocol of WebDriver, without a library, and a server of files that it opens."""
import base64
import functools
import http.server
import json
import re
import subprocess
import threading
import time
import urllib.error
import urllib.request

# Builds run as root and in containers, where there is no sandbox and little shared memory. No name of a host is resolved, so that
# pictures of other hosts (the background of maps, thumbnails) fail at once and on each machine alike.
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-proxy-server", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--window-size=1280,1000",
           "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]
# Machines of builds have no graphics card.
SOFTWARE_GL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]

# How many pixels of the image have almost the colours.
COUNT_PIXELS = """
const [image, colours] = [new Image(), arguments[1]];
image.src = 'data:image/png;base64,' + arguments[0];
return image.decode().then(() => {
  const context = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height}).getContext('2d');
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, image.width, image.height).data;
  const counts = colours.map(() => 0);
  for (let i = 0; i < pixels.length; i += 4) {
    colours.forEach((colour, c) => { counts[c] += colour.every((value, j) => Math.abs(pixels[i + j] - value) < 8); });
  }
  return counts;
});"""


class Site(http.server.SimpleHTTPRequestHandler):
    """The files of a client, and its start page."""

    def __init__(self, *arguments, page, **options):
        self.page = page
        super().__init__(*arguments, **options)

    def do_GET(self):
        if self.path == "/":
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(self.page.encode())
        elif self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *arguments):
        pass


def serve(folder, page):
    """The address of a site, which lasts as long as the process."""
    site = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Site, page=page, directory=folder))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    return f"http://localhost:{site.server_address[1]}"


class Chromium:
    def __init__(self, browser, driver, options=()):
        # The options for graphics contradict each other.
        arguments = [*(each for each in OPTIONS if not options or each != "--disable-gpu"), *options]
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, text=True)
        try:
            started = next(filter(None, (re.search(r"on port (\d+)\.", line) for line in self.process.stdout)))
            self.address = f"http://127.0.0.1:{started[1]}/session"
            self.address += "/" + self.call("", {"capabilities": {"alwaysMatch": {
                "goog:chromeOptions": {"binary": browser, "args": arguments},
                "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]
        except BaseException:
            self.process.kill()
            raise

    def call(self, command, body):
        request = urllib.request.Request(self.address + command, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=90) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def open(self, address):
        # From an empty page, so that an address that differs from the last one in its fragment alone is loaded, too.
        self.call("/url", {"url": "about:blank"})
        self.call("/url", {"url": address})

    def script(self, text, *arguments):
        return self.call("/execute/sync", {"script": text, "args": arguments})

    def await_true(self, condition, *arguments):
        """Waits until an expression of JavaScript is true. Fails with the text of the page."""
        end = time.monotonic() + 30
        while not self.script(f"return Boolean({condition})", *arguments):
            if time.monotonic() > end:
                text = self.script("return document.body.innerText")
                raise AssertionError(f"not seen: {condition} {' '.join(map(str, arguments))}. The page: {' '.join(text.split())}")
            time.sleep(0.1)

    def click(self, selector, using="css selector"):
        """With the pointer, as a hand does."""
        element = self.call("/element", {"using": using, "value": selector})
        self.call(f"/element/{next(iter(element.values()))}/click", {})

    def console(self):
        """The entries since the last call."""
        return self.call("/se/log", {"type": "browser"})

    def screenshot(self):
        """As text in base 64."""
        with urllib.request.urlopen(self.address + "/screenshot", timeout=60) as response:
            return json.load(response)["value"]

    def image(self, file):
        file.write_bytes(base64.b64decode(self.screenshot()))

    def await_painted(self, colours, least):
        """Waits until each of the colours has so many pixels."""
        end = time.monotonic() + 30
        while min(counts := self.script(COUNT_PIXELS, self.screenshot(), colours)) < least:
            assert time.monotonic() < end, f"pixels of {colours}: {counts}"
            time.sleep(0.5)

    def close(self):
        try:
            urllib.request.urlopen(urllib.request.Request(self.address, method="DELETE"), timeout=30).close()
        finally:
            self.process.terminate()
            self.process.wait()
