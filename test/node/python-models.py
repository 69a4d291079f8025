"""A round with the classes that quicktype makes, and Python's standard library for HTTP."""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

import models as m

service, api_key = sys.argv[1:]
report = []


def send(operation, method, path, body=None, query=None, headers=None):
    """Sends a request, and notes its status and body."""
    url = f"{service}/api/brand/v1{path}"
    if query is not None:
        url += "?" + urllib.parse.urlencode(query)
    request = urllib.request.Request(
        url,
        method=method,
        headers={"Authorization": f"Bearer {api_key}", "Content-Type": "application/json", **(headers or {})},
        data=None if body is None else json.dumps(body.to_dict()).encode(),
    )
    try:
        with urllib.request.urlopen(request) as response:
            status, data = response.status, json.load(response)
    except urllib.error.HTTPError as error:
        status, data = error.code, json.load(error)
        error.close()
    report.append([operation, status, data])
    return data


m.Profile.from_dict(send("getProfile", "GET", "/profile"))
website = m.ProfilePatch(brand=m.ProfilePatchBrand(website="https://example.com"))
m.Profile.from_dict(send("updateProfile", "PATCH", "/profile", website))
renamed = m.ProfileInput(
    brand=m.ProfileInputBrand(brand_name="Renamed"),
    connection=m.ProfileInputConnection(status=m.ConnectionStatus.PENDING),
)
m.Profile.from_dict(send("replaceProfile", "PUT", "/profile", renamed))

rope = m.ProductInput(title="Rope", price_cents=1250, image_urls=["https://example.com/a.jpg"])
once = {"Idempotency-Key": "round"}
made = m.ProductEnvelope.from_dict(send("createProduct", "POST", "/products", rope, headers=once)).product
path = f"/products/{made.id}"
knots = m.ProductListInput(products=[m.ProductInput(title="Knot", price_cents=5, sku="K-1")])
m.ProductList.from_dict(send("createProducts", "POST", "/products", knots))
m.ProductEnvelope.from_dict(send("getProduct", "GET", path))
cheaper = m.ProductPatch(price_cents=999, store_status=m.StoreStatus.ACTIVE)
m.ProductEnvelope.from_dict(send("updateProduct", "PATCH", path, cheaper))
active = {"limit": 10, "storeStatus": m.StoreStatus.ACTIVE.value}
listed = m.ProductList.from_dict(send("listProducts", "GET", "/products", query=active))
assert listed.products[0].price_cents == 999
items = m.ProductPushInput(
    products=[
        m.ProductPush(sku="K-1", price_cents=6),
        m.ProductPush(sku="K-2"),
        m.ProductPush(sku="K-3", title="Loop", price_cents=7),
    ]
)
lenient = {"Prefer": "handling=lenient"}
pushed = m.ProductPushResponse.from_dict(
    send("pushProducts", "POST", "/products", items, query={"match": "sku"}, headers=lenient)
)
for result in pushed.results:
    if result.status is m.PushResultStatus.REFUSED:
        report.append(["refused", 0, {"text": result.error}])
m.ProductChanges.from_dict(send("listChanges", "GET", "/products", query={"since": "0"}))
m.ProductEnvelope.from_dict(send("replaceProduct", "PUT", path, m.ProductInput(title="String", price_cents=1)))
m.ProductDeleted.from_dict(send("deleteProduct", "DELETE", path))

ten = m.CouponCodeInput(code="SAVE10", discount_percent=10)
coupon = m.CouponCodeEnvelope.from_dict(send("createCouponCode", "POST", "/coupon-codes", ten)).coupon_code
code_path = f"/coupon-codes/{coupon.id}"
m.CouponCodeEnvelope.from_dict(send("getCouponCode", "GET", code_path))
m.CouponCodeEnvelope.from_dict(send("updateCouponCode", "PATCH", code_path, m.CouponCodePatch(max_uses=5)))
m.CouponCodeList.from_dict(
    send("listCouponCodes", "GET", "/coupon-codes", query={"active": "true", "code": "save10"})
)
twenty = m.CouponCodeInput(code="SAVE20", discount_percent=20)
m.CouponCodeEnvelope.from_dict(send("replaceCouponCode", "PUT", code_path, twenty))
m.CouponCodeDeleted.from_dict(send("deleteCouponCode", "DELETE", code_path))

m.Error.from_dict(send("error", "GET", path))
print(json.dumps(report))
