// Written by scripts/generate.ts from test/openapi/foreign.yaml; do not edit.
export default (require) => {
const exports = {}
"use strict";
exports["{\"type\":\"string\",\"maxLength\":8}"] = validate0;
const schema0 = {"type":"string","maxLength":8};
const func0 = require("ajv/dist/runtime/ucs2length").default;

function validate0(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate0.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func0(data) > 8){
const err0 = {instancePath,schemaPath:"#/maxLength",keyword:"maxLength",params:{limit: 8},message:"must NOT have more than 8 characters",schema:8,parentSchema:schema0,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.type,parentSchema:schema0,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate0.errors = vErrors;
return errors === 0;
}
validate0.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"array\",\"maxItems\":3,\"items\":{\"$ref\":\"#/components/schemas/Name\"}}"] = validate1;
const schema1 = {"type":"array","maxItems":3,"items":{"$ref":"openapi#/components/schemas/Name"}};
const schema2 = {"type":"string","minLength":1,"pattern":"^\\p{Lu}","description":"A name, with a capital letter."};
const pattern0 = new RegExp("^\\p{Lu}", "u");

function validate1(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate1.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
if(data.length > 3){
const err0 = {instancePath,schemaPath:"#/maxItems",keyword:"maxItems",params:{limit: 3},message:"must NOT have more than 3 items",schema:3,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
for(let i0=0; i0<data.length; i0++){
let data0 = data[i0];
if(typeof data0 === "string"){
if(func0(data0) < 1){
const err1 = {instancePath:instancePath+"/" + i0,schemaPath:"openapi#/components/schemas/Name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema2,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(!pattern0.test(data0)){
const err2 = {instancePath:instancePath+"/" + i0,schemaPath:"openapi#/components/schemas/Name/pattern",keyword:"pattern",params:{pattern: "^\\p{Lu}"},message:"must match pattern \""+"^\\p{Lu}"+"\"",schema:"^\\p{Lu}",parentSchema:schema2,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/" + i0,schemaPath:"openapi#/components/schemas/Name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema2.type,parentSchema:schema2,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(errors - _errs1 > 10){
break;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema1.type,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate1.errors = vErrors;
return errors === 0;
}
validate1.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"array\",\"uniqueItems\":true,\"default\":[1984,2001],\"items\":{\"type\":\"integer\",\"format\":\"int32\"}}"] = validate2;
const schema3 = {"type":"array","uniqueItems":true,"items":{"numeric":"{\"type\":\"integer\",\"format\":\"int32\"}"}};
const func2 = require("json").areDistinct;
const func3 = require("numbers").createNumericCheck("{\"type\":\"integer\",\"format\":\"int32\"}");

function validate2(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate2.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
if(!(func2(data))){
const err0 = {instancePath,schemaPath:"#/uniqueItems",keyword:"uniqueItems",params:{},message:"must pass \"uniqueItems\" keyword validation",schema:true,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
for(let i0=0; i0<data.length; i0++){
let data0 = data[i0];
const violation0 = func3(data0);
if(violation0){
const err1 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int32\"}",parentSchema:schema3.items,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(errors - _errs1 > 10){
break;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema3.type,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate2.errors = vErrors;
return errors === 0;
}
validate2.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"format\":\"int64\"}}"] = validate3;
const schema4 = {"type":"array","items":{"numeric":"{\"type\":\"integer\",\"format\":\"int64\"}"}};
const func4 = require("numbers").createNumericCheck("{\"type\":\"integer\",\"format\":\"int64\"}");

function validate3(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate3.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(Array.isArray(data)){
const _errs1 = errors;
for(let i0=0; i0<data.length; i0++){
let data0 = data[i0];
const violation0 = func4(data0);
if(violation0){
const err0 = {instancePath:instancePath+"/" + i0,schemaPath:"#/items/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema4.items,data:data0};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(errors - _errs1 > 10){
break;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema4.type,parentSchema:schema4,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate3.errors = vErrors;
return errors === 0;
}
validate3.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"number\",\"exclusiveMinimum\":0,\"multipleOf\":0.01}"] = validate4;
const schema5 = {"numeric":"{\"type\":\"number\",\"exclusiveMinimum\":0,\"multipleOf\":0.01}"};
const func5 = require("numbers").createNumericCheck("{\"type\":\"number\",\"exclusiveMinimum\":0,\"multipleOf\":0.01}");

function validate4(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate4.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const violation0 = func5(data);
if(violation0){
const err0 = {instancePath,schemaPath:"#/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"number\",\"exclusiveMinimum\":0,\"multipleOf\":0.01}",parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate4.errors = vErrors;
return errors === 0;
}
validate4.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"boolean\",\"default\":false}"] = validate5;
const schema6 = {"type":"boolean"};

function validate5(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate5.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema6.type,parentSchema:schema6,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate5.errors = vErrors;
return errors === 0;
}
validate5.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Order"] = validate6;
const schema7 = {"type":"string","enum":["title","year"]};

function validate6(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate6.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema7.type,parentSchema:schema7,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(!((data === "title") || (data === "year"))){
const err1 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema7.enum},message:"must be equal to one of the allowed values",schema:schema7.enum,parentSchema:schema7,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate6.errors = vErrors;
return errors === 0;
}
validate6.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"format\":\"date-time\"}"] = validate7;
const schema8 = {"type":"string","format":"date-time"};
const formats0 = require("formats")["date-time"];

function validate7(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate7.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!(formats0(data))){
const err0 = {instancePath,schemaPath:"#/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema8,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema8.type,parentSchema:schema8,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate7.errors = vErrors;
return errors === 0;
}
validate7.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Anything"] = validate8;
const schema9 = {"description":"Any JSON."};

function validate8(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
validate8.errors = null;
return true;
}
validate8.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\"}"] = validate9;
const schema10 = {"type":"string"};

function validate9(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate9.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema10.type,parentSchema:schema10,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate9.errors = vErrors;
return errors === 0;
}
validate9.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"const\":\"max-age=3600\"}"] = validate10;
const schema11 = {"type":"string","const":"max-age=3600"};

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate10.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema11.type,parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if("max-age=3600" !== data){
const err1 = {instancePath,schemaPath:"#/const",keyword:"const",params:{allowedValue: "max-age=3600"},message:"must be equal to constant",schema:"max-age=3600",parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}
validate10.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"enum\":[\"Accept\"]}"] = validate11;
const schema12 = {"type":"string","enum":["Accept"]};

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate11.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.type,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(!(data === "Accept")){
const err1 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema12.enum},message:"must be equal to one of the allowed values",schema:schema12.enum,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate11.errors = vErrors;
return errors === 0;
}
validate11.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"object\",\"required\":[\"error\"],\"properties\":{\"error\":{\"type\":\"string\"}}}"] = validate12;
const schema13 = {"type":"object","required":["error"],"properties":{"error":{"type":"string"}}};
const func6 = Object.prototype.hasOwnProperty;

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate12.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.error === undefined) || (!(func6.call(data, "error")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "error"},message:"must have required property '"+"error"+"'",schema:schema13.required,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.error !== undefined && func6.call(data, "error")){
let data0 = data.error;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.error.type,parentSchema:schema13.properties.error,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.type,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}
validate12.evaluated = {"props":{"error":true},"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"integer\",\"format\":\"int64\"}"] = validate13;
const schema14 = {"numeric":"{\"type\":\"integer\",\"format\":\"int64\"}"};

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate13.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const violation0 = func4(data);
if(violation0){
const err0 = {instancePath,schemaPath:"#/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema14,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate13.errors = vErrors;
return errors === 0;
}
validate13.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"boolean\",\"default\":true}"] = validate14;
const schema15 = {"type":"boolean"};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate14.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema15.type,parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate14.errors = vErrors;
return errors === 0;
}
validate14.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/NewBook"] = validate15;
const schema16 = {"type":"object","required":["title"],"additionalProperties":false,"properties":{"title":{"type":"string"},"price":{"numeric":"{\"type\":\"number\",\"format\":\"double\",\"minimum\":0,\"multipleOf\":0.01}"},"pages":{"numeric":"{\"type\":\"integer\",\"format\":\"int32\"}"},"printed":{"type":"string","format":"date"},"order":{"$ref":"openapi#/components/schemas/Order"},"edition":{"type":"object","additionalProperties":false,"properties":{"number":{"numeric":"{\"type\":\"integer\",\"format\":\"int64\"}"},"cover":{"type":"string","enum":["hard","soft"]}}},"tags":{"type":"array","uniqueItems":true,"items":{"type":"string"}}}};
const func12 = require("numbers").createNumericCheck("{\"type\":\"number\",\"format\":\"double\",\"minimum\":0,\"multipleOf\":0.01}");
const formats2 = require("formats").date;

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate15.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.title === undefined) || (!(func6.call(data, "title")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'",schema:schema16.required,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if((((((((true) && (key0 !== "title")) && (key0 !== "price")) && (key0 !== "pages")) && (key0 !== "printed")) && (key0 !== "order")) && (key0 !== "edition")) && (key0 !== "tags")){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors - _errs1 > 10){
break;
}
}
}
if(data.title !== undefined && func6.call(data, "title")){
let data0 = data.title;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.title.type,parentSchema:schema16.properties.title,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.price !== undefined && func6.call(data, "price")){
let data1 = data.price;
const violation0 = func12(data1);
if(violation0){
const err3 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"number\",\"format\":\"double\",\"minimum\":0,\"multipleOf\":0.01}",parentSchema:schema16.properties.price,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.pages !== undefined && func6.call(data, "pages")){
let data2 = data.pages;
const violation1 = func3(data2);
if(violation1){
const err4 = {instancePath:instancePath+"/pages",schemaPath:"#/properties/pages/numeric",keyword:"numeric",params:violation1,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int32\"}",parentSchema:schema16.properties.pages,data:data2};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.printed !== undefined && func6.call(data, "printed")){
let data3 = data.printed;
if(typeof data3 === "string"){
if(!(formats2(data3))){
const err5 = {instancePath:instancePath+"/printed",schemaPath:"#/properties/printed/format",keyword:"format",params:{format: "date"},message:"must match format \""+"date"+"\"",schema:"date",parentSchema:schema16.properties.printed,data:data3};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/printed",schemaPath:"#/properties/printed/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.printed.type,parentSchema:schema16.properties.printed,data:data3};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.order !== undefined && func6.call(data, "order")){
let data4 = data.order;
if(typeof data4 !== "string"){
const err7 = {instancePath:instancePath+"/order",schemaPath:"openapi#/components/schemas/Order/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema7.type,parentSchema:schema7,data:data4};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!((data4 === "title") || (data4 === "year"))){
const err8 = {instancePath:instancePath+"/order",schemaPath:"openapi#/components/schemas/Order/enum",keyword:"enum",params:{allowedValues: schema7.enum},message:"must be equal to one of the allowed values",schema:schema7.enum,parentSchema:schema7,data:data4};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.edition !== undefined && func6.call(data, "edition")){
let data5 = data.edition;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
const _errs13 = errors;
for(const key1 of Object.keys(data5)){
if(((true) && (key1 !== "number")) && (key1 !== "cover")){
const err9 = {instancePath:instancePath+"/edition",schemaPath:"#/properties/edition/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must be declared",schema:false,parentSchema:schema16.properties.edition,data:data5};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
if(errors - _errs13 > 10){
break;
}
}
}
if(data5.number !== undefined && func6.call(data5, "number")){
let data6 = data5.number;
const violation2 = func4(data6);
if(violation2){
const err10 = {instancePath:instancePath+"/edition/number",schemaPath:"#/properties/edition/properties/number/numeric",keyword:"numeric",params:violation2,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema16.properties.edition.properties.number,data:data6};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data5.cover !== undefined && func6.call(data5, "cover")){
let data7 = data5.cover;
if(typeof data7 !== "string"){
const err11 = {instancePath:instancePath+"/edition/cover",schemaPath:"#/properties/edition/properties/cover/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.edition.properties.cover.type,parentSchema:schema16.properties.edition.properties.cover,data:data7};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!((data7 === "hard") || (data7 === "soft"))){
const err12 = {instancePath:instancePath+"/edition/cover",schemaPath:"#/properties/edition/properties/cover/enum",keyword:"enum",params:{allowedValues: schema16.properties.edition.properties.cover.enum},message:"must be equal to one of the allowed values",schema:schema16.properties.edition.properties.cover.enum,parentSchema:schema16.properties.edition.properties.cover,data:data7};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/edition",schemaPath:"#/properties/edition/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema16.properties.edition.type,parentSchema:schema16.properties.edition,data:data5};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.tags !== undefined && func6.call(data, "tags")){
let data8 = data.tags;
if(Array.isArray(data8)){
if(!(func2(data8))){
const err14 = {instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/uniqueItems",keyword:"uniqueItems",params:{},message:"must pass \"uniqueItems\" keyword validation",schema:true,parentSchema:schema16.properties.tags,data:data8};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
const _errs19 = errors;
for(let i0=0; i0<data8.length; i0++){
let data9 = data8[i0];
if(typeof data9 !== "string"){
const err15 = {instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.tags.items.type,parentSchema:schema16.properties.tags.items,data:data9};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(errors - _errs19 > 10){
break;
}
}
}
else {
const err16 = {instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema16.properties.tags.type,parentSchema:schema16.properties.tags,data:data8};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema16.type,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate15.errors = vErrors;
return errors === 0;
}
validate15.evaluated = {"props":{"title":true,"price":true,"pages":true,"printed":true,"order":true,"edition":true,"tags":true},"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Book"] = validate16;
const schema18 = {"allOf":[{"$ref":"openapi#/components/schemas/Kept"},{"type":"object","required":["id","added"],"properties":{"id":{"numeric":"{\"type\":\"integer\",\"format\":\"int64\"}"},"added":{"type":"string","format":"date-time"}}}]};
const schema19 = {"type":"object","required":["title"],"properties":{"title":{"type":"string"},"edition":{"type":"object"}}};

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate16.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.title === undefined) || (!(func6.call(data, "title")))){
const err0 = {instancePath,schemaPath:"openapi#/components/schemas/Kept/required",keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'",schema:schema19.required,parentSchema:schema19,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.title !== undefined && func6.call(data, "title")){
let data0 = data.title;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/title",schemaPath:"openapi#/components/schemas/Kept/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema19.properties.title.type,parentSchema:schema19.properties.title,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.edition !== undefined && func6.call(data, "edition")){
let data1 = data.edition;
if(!(data1 && typeof data1 == "object" && !Array.isArray(data1))){
const err2 = {instancePath:instancePath+"/edition",schemaPath:"openapi#/components/schemas/Kept/properties/edition/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema19.properties.edition.type,parentSchema:schema19.properties.edition,data:data1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"openapi#/components/schemas/Kept/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema19.type,parentSchema:schema19,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.id === undefined) || (!(func6.call(data, "id")))){
const err4 = {instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema18.allOf[1].required,parentSchema:schema18.allOf[1],data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((data.added === undefined) || (!(func6.call(data, "added")))){
const err5 = {instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: "added"},message:"must have required property '"+"added"+"'",schema:schema18.allOf[1].required,parentSchema:schema18.allOf[1],data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.id !== undefined && func6.call(data, "id")){
let data2 = data.id;
const violation0 = func4(data2);
if(violation0){
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/allOf/1/properties/id/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema18.allOf[1].properties.id,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.added !== undefined && func6.call(data, "added")){
let data3 = data.added;
if(typeof data3 === "string"){
if(!(formats0(data3))){
const err7 = {instancePath:instancePath+"/added",schemaPath:"#/allOf/1/properties/added/format",keyword:"format",params:{format: "date-time"},message:"must match format \""+"date-time"+"\"",schema:"date-time",parentSchema:schema18.allOf[1].properties.added,data:data3};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/added",schemaPath:"#/allOf/1/properties/added/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.allOf[1].properties.added.type,parentSchema:schema18.allOf[1].properties.added,data:data3};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.allOf[1].type,parentSchema:schema18.allOf[1],data};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate16.errors = vErrors;
return errors === 0;
}
validate16.evaluated = {"props":{"id":true,"added":true,"title":true,"edition":true},"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"boolean\"}"] = validate17;
const schema20 = {"type":"boolean"};

function validate17(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate17.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "boolean"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema20.type,parentSchema:schema20,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate17.errors = vErrors;
return errors === 0;
}
validate17.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"enum\":[\"attic\",\"cellar\"]}"] = validate18;
const schema21 = {"type":"string","enum":["attic","cellar"]};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate18.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data !== "string"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema21.type,parentSchema:schema21,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(!((data === "attic") || (data === "cellar"))){
const err1 = {instancePath,schemaPath:"#/enum",keyword:"enum",params:{allowedValues: schema21.enum},message:"must be equal to one of the allowed values",schema:schema21.enum,parentSchema:schema21,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate18.errors = vErrors;
return errors === 0;
}
validate18.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"integer\",\"format\":\"int32\",\"minimum\":1}"] = validate19;
const schema22 = {"numeric":"{\"type\":\"integer\",\"format\":\"int32\",\"minimum\":1}"};
const func31 = require("numbers").createNumericCheck("{\"type\":\"integer\",\"format\":\"int32\",\"minimum\":1}");

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate19.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const violation0 = func31(data);
if(violation0){
const err0 = {instancePath,schemaPath:"#/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int32\",\"minimum\":1}",parentSchema:schema22,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate19.errors = vErrors;
return errors === 0;
}
validate19.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Isbn"] = validate20;
const schema23 = {"type":"string","pattern":"^[0-9]{13}$"};
const pattern1 = new RegExp("^[0-9]{13}$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern1.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9]{13}$"},message:"must match pattern \""+"^[0-9]{13}$"+"\"",schema:"^[0-9]{13}$",parentSchema:schema23,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.type,parentSchema:schema23,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"object\",\"required\":[\"room\",\"shelf\",\"isbn\"],\"additionalProperties\":false,\"properties\":{\"room\":{\"type\":\"string\"},\"shelf\":{\"type\":\"integer\",\"format\":\"int32\"},\"isbn\":{\"$ref\":\"#/components/schemas/Isbn\"}}}"] = validate21;
const schema24 = {"type":"object","required":["room","shelf","isbn"],"additionalProperties":false,"properties":{"room":{"type":"string"},"shelf":{"numeric":"{\"type\":\"integer\",\"format\":\"int32\"}"},"isbn":{"$ref":"openapi#/components/schemas/Isbn"}}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.room === undefined) || (!(func6.call(data, "room")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "room"},message:"must have required property '"+"room"+"'",schema:schema24.required,parentSchema:schema24,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.shelf === undefined) || (!(func6.call(data, "shelf")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "shelf"},message:"must have required property '"+"shelf"+"'",schema:schema24.required,parentSchema:schema24,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.isbn === undefined) || (!(func6.call(data, "isbn")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "isbn"},message:"must have required property '"+"isbn"+"'",schema:schema24.required,parentSchema:schema24,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if((((true) && (key0 !== "room")) && (key0 !== "shelf")) && (key0 !== "isbn")){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema24,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
if(errors - _errs1 > 10){
break;
}
}
}
if(data.room !== undefined && func6.call(data, "room")){
let data0 = data.room;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/room",schemaPath:"#/properties/room/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema24.properties.room.type,parentSchema:schema24.properties.room,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.shelf !== undefined && func6.call(data, "shelf")){
let data1 = data.shelf;
const violation0 = func3(data1);
if(violation0){
const err5 = {instancePath:instancePath+"/shelf",schemaPath:"#/properties/shelf/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int32\"}",parentSchema:schema24.properties.shelf,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.isbn !== undefined && func6.call(data, "isbn")){
let data2 = data.isbn;
if(typeof data2 === "string"){
if(!pattern1.test(data2)){
const err6 = {instancePath:instancePath+"/isbn",schemaPath:"openapi#/components/schemas/Isbn/pattern",keyword:"pattern",params:{pattern: "^[0-9]{13}$"},message:"must match pattern \""+"^[0-9]{13}$"+"\"",schema:"^[0-9]{13}$",parentSchema:schema23,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/isbn",schemaPath:"openapi#/components/schemas/Isbn/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.type,parentSchema:schema23,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema24.type,parentSchema:schema24,data};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":{"room":true,"shelf":true,"isbn":true},"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"upright\":{\"type\":\"boolean\",\"default\":true}}}"] = validate22;
const schema26 = {"type":"object","additionalProperties":false,"properties":{"upright":{"type":"boolean"}}};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if((true) && (key0 !== "upright")){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema26,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
if(errors - _errs1 > 10){
break;
}
}
}
if(data.upright !== undefined && func6.call(data, "upright")){
let data0 = data.upright;
if(typeof data0 !== "boolean"){
const err1 = {instancePath:instancePath+"/upright",schemaPath:"#/properties/upright/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema26.properties.upright.type,parentSchema:schema26.properties.upright,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema26.type,parentSchema:schema26,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":{"upright":true},"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":[\"string\",\"null\"]}"] = validate23;
const schema27 = {"type":["string","null"]};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if((typeof data !== "string") && (data !== null)){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: schema27.type},message:"must be string,null",schema:schema27.type,parentSchema:schema27,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"minLength\":2}"] = validate24;
const schema28 = {"type":"string","minLength":2};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func0(data) < 2){
const err0 = {instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 2},message:"must NOT have fewer than 2 characters",schema:2,parentSchema:schema28,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema28.type,parentSchema:schema28,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"oneOf\":[{\"$ref\":\"#/components/schemas/Push\"},{\"$ref\":\"#/components/schemas/Lift\"}]}"] = validate25;
const schema29 = {"oneOf":[{"$ref":"openapi#/components/schemas/Push"},{"$ref":"openapi#/components/schemas/Lift"}]};
const schema30 = {"type":"object","required":["how"],"additionalProperties":false,"properties":{"how":{"type":"string","const":"push"},"steps":{"numeric":"{\"type\":\"integer\",\"format\":\"int64\"}"}}};
const schema31 = {"type":"object","required":["how"],"additionalProperties":false,"properties":{"how":{"type":"string","const":"lift"},"steps":{"numeric":"{\"type\":\"number\"}"},"height":{"numeric":"{\"type\":\"number\"}"}}};
const func48 = require("numbers").createNumericCheck("{\"type\":\"number\"}");

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
let passing0 = null;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.how === undefined) || (!(func6.call(data, "how")))){
const err0 = {instancePath,schemaPath:"openapi#/components/schemas/Push/required",keyword:"required",params:{missingProperty: "how"},message:"must have required property '"+"how"+"'",schema:schema30.required,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs4 = errors;
for(const key0 of Object.keys(data)){
if(((true) && (key0 !== "how")) && (key0 !== "steps")){
const err1 = {instancePath,schemaPath:"openapi#/components/schemas/Push/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors - _errs4 > 10){
break;
}
}
}
if(data.how !== undefined && func6.call(data, "how")){
let data0 = data.how;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/how",schemaPath:"openapi#/components/schemas/Push/properties/how/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema30.properties.how.type,parentSchema:schema30.properties.how,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if("push" !== data0){
const err3 = {instancePath:instancePath+"/how",schemaPath:"openapi#/components/schemas/Push/properties/how/const",keyword:"const",params:{allowedValue: "push"},message:"must be equal to constant",schema:"push",parentSchema:schema30.properties.how,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.steps !== undefined && func6.call(data, "steps")){
let data1 = data.steps;
const violation0 = func4(data1);
if(violation0){
const err4 = {instancePath:instancePath+"/steps",schemaPath:"openapi#/components/schemas/Push/properties/steps/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema30.properties.steps,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"openapi#/components/schemas/Push/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema30.type,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var _valid0 = _errs1 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
var props0 = {};
props0.how = true;
props0.steps = true;
}
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.how === undefined) || (!(func6.call(data, "how")))){
const err6 = {instancePath,schemaPath:"openapi#/components/schemas/Lift/required",keyword:"required",params:{missingProperty: "how"},message:"must have required property '"+"how"+"'",schema:schema31.required,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
const _errs11 = errors;
for(const key1 of Object.keys(data)){
if((((true) && (key1 !== "how")) && (key1 !== "steps")) && (key1 !== "height")){
const err7 = {instancePath,schemaPath:"openapi#/components/schemas/Lift/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must be declared",schema:false,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
if(errors - _errs11 > 10){
break;
}
}
}
if(data.how !== undefined && func6.call(data, "how")){
let data2 = data.how;
if(typeof data2 !== "string"){
const err8 = {instancePath:instancePath+"/how",schemaPath:"openapi#/components/schemas/Lift/properties/how/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.how.type,parentSchema:schema31.properties.how,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if("lift" !== data2){
const err9 = {instancePath:instancePath+"/how",schemaPath:"openapi#/components/schemas/Lift/properties/how/const",keyword:"const",params:{allowedValue: "lift"},message:"must be equal to constant",schema:"lift",parentSchema:schema31.properties.how,data:data2};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.steps !== undefined && func6.call(data, "steps")){
let data3 = data.steps;
const violation1 = func48(data3);
if(violation1){
const err10 = {instancePath:instancePath+"/steps",schemaPath:"openapi#/components/schemas/Lift/properties/steps/numeric",keyword:"numeric",params:violation1,message:"must be a valid number",schema:"{\"type\":\"number\"}",parentSchema:schema31.properties.steps,data:data3};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.height !== undefined && func6.call(data, "height")){
let data4 = data.height;
const violation2 = func48(data4);
if(violation2){
const err11 = {instancePath:instancePath+"/height",schemaPath:"openapi#/components/schemas/Lift/properties/height/numeric",keyword:"numeric",params:violation2,message:"must be a valid number",schema:"{\"type\":\"number\"}",parentSchema:schema31.properties.height,data:data4};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"openapi#/components/schemas/Lift/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.type,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid0 = _errs8 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
if(props0 !== true){
props0 = props0 || {};
props0.how = true;
props0.steps = true;
props0.height = true;
}
}
}
if(!valid0){
const err13 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf",schema:schema29.oneOf,parentSchema:schema29,data};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate25.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate25.evaluated = {"dynamicProps":true,"dynamicItems":false};

exports["{\"anyOf\":[{\"$ref\":\"#/components/schemas/Push\"},{\"$ref\":\"#/components/schemas/Lift\"}]}"] = validate26;
const schema32 = {"anyOf":[{"$ref":"openapi#/components/schemas/Push"},{"$ref":"openapi#/components/schemas/Lift"}]};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate26.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = false;
const _errs1 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.how === undefined) || (!(func6.call(data, "how")))){
const err0 = {instancePath,schemaPath:"openapi#/components/schemas/Push/required",keyword:"required",params:{missingProperty: "how"},message:"must have required property '"+"how"+"'",schema:schema30.required,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs4 = errors;
for(const key0 of Object.keys(data)){
if(((true) && (key0 !== "how")) && (key0 !== "steps")){
const err1 = {instancePath,schemaPath:"openapi#/components/schemas/Push/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors - _errs4 > 10){
break;
}
}
}
if(data.how !== undefined && func6.call(data, "how")){
let data0 = data.how;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/how",schemaPath:"openapi#/components/schemas/Push/properties/how/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema30.properties.how.type,parentSchema:schema30.properties.how,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if("push" !== data0){
const err3 = {instancePath:instancePath+"/how",schemaPath:"openapi#/components/schemas/Push/properties/how/const",keyword:"const",params:{allowedValue: "push"},message:"must be equal to constant",schema:"push",parentSchema:schema30.properties.how,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.steps !== undefined && func6.call(data, "steps")){
let data1 = data.steps;
const violation0 = func4(data1);
if(violation0){
const err4 = {instancePath:instancePath+"/steps",schemaPath:"openapi#/components/schemas/Push/properties/steps/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema30.properties.steps,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"openapi#/components/schemas/Push/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema30.type,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var _valid0 = _errs1 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
var props0 = {};
props0.how = true;
props0.steps = true;
}
const _errs8 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.how === undefined) || (!(func6.call(data, "how")))){
const err6 = {instancePath,schemaPath:"openapi#/components/schemas/Lift/required",keyword:"required",params:{missingProperty: "how"},message:"must have required property '"+"how"+"'",schema:schema31.required,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
const _errs11 = errors;
for(const key1 of Object.keys(data)){
if((((true) && (key1 !== "how")) && (key1 !== "steps")) && (key1 !== "height")){
const err7 = {instancePath,schemaPath:"openapi#/components/schemas/Lift/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must be declared",schema:false,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
if(errors - _errs11 > 10){
break;
}
}
}
if(data.how !== undefined && func6.call(data, "how")){
let data2 = data.how;
if(typeof data2 !== "string"){
const err8 = {instancePath:instancePath+"/how",schemaPath:"openapi#/components/schemas/Lift/properties/how/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.how.type,parentSchema:schema31.properties.how,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if("lift" !== data2){
const err9 = {instancePath:instancePath+"/how",schemaPath:"openapi#/components/schemas/Lift/properties/how/const",keyword:"const",params:{allowedValue: "lift"},message:"must be equal to constant",schema:"lift",parentSchema:schema31.properties.how,data:data2};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.steps !== undefined && func6.call(data, "steps")){
let data3 = data.steps;
const violation1 = func48(data3);
if(violation1){
const err10 = {instancePath:instancePath+"/steps",schemaPath:"openapi#/components/schemas/Lift/properties/steps/numeric",keyword:"numeric",params:violation1,message:"must be a valid number",schema:"{\"type\":\"number\"}",parentSchema:schema31.properties.steps,data:data3};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.height !== undefined && func6.call(data, "height")){
let data4 = data.height;
const violation2 = func48(data4);
if(violation2){
const err11 = {instancePath:instancePath+"/height",schemaPath:"openapi#/components/schemas/Lift/properties/height/numeric",keyword:"numeric",params:violation2,message:"must be a valid number",schema:"{\"type\":\"number\"}",parentSchema:schema31.properties.height,data:data4};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"openapi#/components/schemas/Lift/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.type,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid0 = _errs8 === errors;
valid0 = valid0 || _valid0;
if(_valid0){
if(props0 !== true){
props0 = props0 || {};
props0.how = true;
props0.steps = true;
props0.height = true;
}
}
if(!valid0){
const err13 = {instancePath,schemaPath:"#/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf",schema:schema32.anyOf,parentSchema:schema32,data};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
else {
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
}
validate26.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate26.evaluated = {"dynamicProps":true,"dynamicItems":false};

exports["{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9223372036854775807,\"maximum\":9223372036854775806}"] = validate27;
const schema35 = {"numeric":"{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9223372036854775807,\"maximum\":9223372036854775806}"};
const func61 = require("numbers").createNumericCheck("{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9223372036854775807,\"maximum\":9223372036854775806}");

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const violation0 = func61(data);
if(violation0){
const err0 = {instancePath,schemaPath:"#/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\",\"minimum\":-9223372036854775807,\"maximum\":9223372036854775806}",parentSchema:schema35,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Reader"] = validate28;
const schema36 = {"type":"object","required":["name","card"],"properties":{"name":{"$ref":"openapi#/components/schemas/Name"},"card":{"numeric":"{\"type\":[\"integer\",\"null\"],\"format\":\"int64\"}"},"fees":{"type":"object","additionalProperties":{"numeric":"{\"type\":\"integer\",\"format\":\"int64\"}"}},"contact":{"oneOf":[{"type":"string","format":"email"},{"numeric":"{\"type\":\"integer\",\"format\":\"int64\"}"}]},"preferences":{"type":"object","description":"Whatever the reader likes."}}};
const func67 = require("numbers").createNumericCheck("{\"type\":[\"integer\",\"null\"],\"format\":\"int64\"}");
const formats6 = require("formats").email;

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate28.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.name === undefined) || (!(func6.call(data, "name")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'",schema:schema36.required,parentSchema:schema36,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.card === undefined) || (!(func6.call(data, "card")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "card"},message:"must have required property '"+"card"+"'",schema:schema36.required,parentSchema:schema36,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.name !== undefined && func6.call(data, "name")){
let data0 = data.name;
if(typeof data0 === "string"){
if(func0(data0) < 1){
const err2 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/Name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema2,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!pattern0.test(data0)){
const err3 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/Name/pattern",keyword:"pattern",params:{pattern: "^\\p{Lu}"},message:"must match pattern \""+"^\\p{Lu}"+"\"",schema:"^\\p{Lu}",parentSchema:schema2,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/name",schemaPath:"openapi#/components/schemas/Name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema2.type,parentSchema:schema2,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.card !== undefined && func6.call(data, "card")){
let data1 = data.card;
const violation0 = func67(data1);
if(violation0){
const err5 = {instancePath:instancePath+"/card",schemaPath:"#/properties/card/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":[\"integer\",\"null\"],\"format\":\"int64\"}",parentSchema:schema36.properties.card,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.fees !== undefined && func6.call(data, "fees")){
let data2 = data.fees;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
const _errs7 = errors;
for(const key0 of Object.keys(data2)){
if(true){
let data3 = data2[key0];
const violation1 = func4(data3);
if(violation1){
const err6 = {instancePath:instancePath+"/fees/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/fees/additionalProperties/numeric",keyword:"numeric",params:violation1,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema36.properties.fees.additionalProperties,data:data3};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(errors - _errs7 > 10){
break;
}
}
}
}
else {
const err7 = {instancePath:instancePath+"/fees",schemaPath:"#/properties/fees/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema36.properties.fees.type,parentSchema:schema36.properties.fees,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.contact !== undefined && func6.call(data, "contact")){
let data4 = data.contact;
const _errs10 = errors;
let valid3 = false;
let passing0 = null;
const _errs11 = errors;
if(typeof data4 === "string"){
if(!(formats6(data4))){
const err8 = {instancePath:instancePath+"/contact",schemaPath:"#/properties/contact/oneOf/0/format",keyword:"format",params:{format: "email"},message:"must match format \""+"email"+"\"",schema:"email",parentSchema:schema36.properties.contact.oneOf[0],data:data4};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/contact",schemaPath:"#/properties/contact/oneOf/0/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema36.properties.contact.oneOf[0].type,parentSchema:schema36.properties.contact.oneOf[0],data:data4};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
var _valid0 = _errs11 === errors;
if(_valid0){
valid3 = true;
passing0 = 0;
}
const _errs13 = errors;
const violation2 = func4(data4);
if(violation2){
const err10 = {instancePath:instancePath+"/contact",schemaPath:"#/properties/contact/oneOf/1/numeric",keyword:"numeric",params:violation2,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema36.properties.contact.oneOf[1],data:data4};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var _valid0 = _errs13 === errors;
if(_valid0 && valid3){
valid3 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid3 = true;
passing0 = 1;
}
}
if(!valid3){
const err11 = {instancePath:instancePath+"/contact",schemaPath:"#/properties/contact/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf",schema:schema36.properties.contact.oneOf,parentSchema:schema36.properties.contact,data:data4};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
else {
errors = _errs10;
if(vErrors !== null){
if(_errs10){
vErrors.length = _errs10;
}
else {
vErrors = null;
}
}
}
}
if(data.preferences !== undefined && func6.call(data, "preferences")){
let data5 = data.preferences;
if(!(data5 && typeof data5 == "object" && !Array.isArray(data5))){
const err12 = {instancePath:instancePath+"/preferences",schemaPath:"#/properties/preferences/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema36.properties.preferences.type,parentSchema:schema36.properties.preferences,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema36.type,parentSchema:schema36,data};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate28.errors = vErrors;
return errors === 0;
}
validate28.evaluated = {"props":{"name":true,"card":true,"fees":true,"contact":true,"preferences":true},"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Section"] = validate29;
const schema38 = {"type":"object","required":["title"],"additionalProperties":false,"properties":{"title":{"type":"string"},"number":{"numeric":"{\"type\":[\"integer\",\"null\"],\"format\":\"int64\"}"},"sections":{"type":"array","items":{"$ref":"openapi#/components/schemas/Section"}},"parent":{"anyOf":[{"type":"null"},{"$ref":"openapi#/components/schemas/Section"}]},"byLetter":{"type":"object","additionalProperties":{"$ref":"openapi#/components/schemas/Section"}}}};
const wrapper0 = {validate: validate29};

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate29.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.title === undefined) || (!(func6.call(data, "title")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "title"},message:"must have required property '"+"title"+"'",schema:schema38.required,parentSchema:schema38,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if((((((true) && (key0 !== "title")) && (key0 !== "number")) && (key0 !== "sections")) && (key0 !== "parent")) && (key0 !== "byLetter")){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema38,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors - _errs1 > 10){
break;
}
}
}
if(data.title !== undefined && func6.call(data, "title")){
let data0 = data.title;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.title.type,parentSchema:schema38.properties.title,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.number !== undefined && func6.call(data, "number")){
let data1 = data.number;
const violation0 = func67(data1);
if(violation0){
const err3 = {instancePath:instancePath+"/number",schemaPath:"#/properties/number/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":[\"integer\",\"null\"],\"format\":\"int64\"}",parentSchema:schema38.properties.number,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.sections !== undefined && func6.call(data, "sections")){
let data2 = data.sections;
if(Array.isArray(data2)){
const _errs7 = errors;
for(let i0=0; i0<data2.length; i0++){
if(!(wrapper0.validate(data2[i0], {instancePath:instancePath+"/sections/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
if(errors - _errs7 > 10){
break;
}
}
}
else {
const err4 = {instancePath:instancePath+"/sections",schemaPath:"#/properties/sections/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema38.properties.sections.type,parentSchema:schema38.properties.sections,data:data2};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.parent !== undefined && func6.call(data, "parent")){
let data4 = data.parent;
const _errs10 = errors;
let valid2 = false;
const _errs11 = errors;
if(data4 !== null){
const err5 = {instancePath:instancePath+"/parent",schemaPath:"#/properties/parent/anyOf/0/type",keyword:"type",params:{type: "null"},message:"must be null",schema:schema38.properties.parent.anyOf[0].type,parentSchema:schema38.properties.parent.anyOf[0],data:data4};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var _valid0 = _errs11 === errors;
valid2 = valid2 || _valid0;
const _errs13 = errors;
if(!(wrapper0.validate(data4, {instancePath:instancePath+"/parent",parentData:data,parentDataProperty:"parent",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
var _valid0 = _errs13 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const err6 = {instancePath:instancePath+"/parent",schemaPath:"#/properties/parent/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf",schema:schema38.properties.parent.anyOf,parentSchema:schema38.properties.parent,data:data4};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
else {
errors = _errs10;
if(vErrors !== null){
if(_errs10){
vErrors.length = _errs10;
}
else {
vErrors = null;
}
}
}
}
if(data.byLetter !== undefined && func6.call(data, "byLetter")){
let data5 = data.byLetter;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
const _errs16 = errors;
for(const key1 of Object.keys(data5)){
if(true){
if(!(wrapper0.validate(data5[key1], {instancePath:instancePath+"/byLetter/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data5,parentDataProperty:key1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
if(errors - _errs16 > 10){
break;
}
}
}
}
else {
const err7 = {instancePath:instancePath+"/byLetter",schemaPath:"#/properties/byLetter/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema38.properties.byLetter.type,parentSchema:schema38.properties.byLetter,data:data5};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema38.type,parentSchema:schema38,data};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate29.errors = vErrors;
return errors === 0;
}
validate29.evaluated = {"props":{"title":true,"number":true,"sections":true,"parent":true,"byLetter":true},"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"minLength\":1}"] = validate30;
const schema39 = {"type":"string","minLength":1};

function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate30.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(func0(data) < 1){
const err0 = {instancePath,schemaPath:"#/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema39,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.type,parentSchema:schema39,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate30.errors = vErrors;
return errors === 0;
}
validate30.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"null\"}"] = validate31;
const schema40 = {"type":"null"};

function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate31.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data !== null){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "null"},message:"must be null",schema:schema40.type,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate31.errors = vErrors;
return errors === 0;
}
validate31.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["{\"type\":\"string\",\"format\":\"email\"}"] = validate32;
const schema41 = {"type":"string","format":"email"};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate32.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!(formats6(data))){
const err0 = {instancePath,schemaPath:"#/format",keyword:"format",params:{format: "email"},message:"must match format \""+"email"+"\"",schema:"email",parentSchema:schema41,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.type,parentSchema:schema41,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate32.errors = vErrors;
return errors === 0;
}
validate32.evaluated = {"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Push"] = validate33;

function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate33.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.how === undefined) || (!(func6.call(data, "how")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "how"},message:"must have required property '"+"how"+"'",schema:schema30.required,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if(((true) && (key0 !== "how")) && (key0 !== "steps")){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors - _errs1 > 10){
break;
}
}
}
if(data.how !== undefined && func6.call(data, "how")){
let data0 = data.how;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/how",schemaPath:"#/properties/how/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema30.properties.how.type,parentSchema:schema30.properties.how,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if("push" !== data0){
const err3 = {instancePath:instancePath+"/how",schemaPath:"#/properties/how/const",keyword:"const",params:{allowedValue: "push"},message:"must be equal to constant",schema:"push",parentSchema:schema30.properties.how,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.steps !== undefined && func6.call(data, "steps")){
let data1 = data.steps;
const violation0 = func4(data1);
if(violation0){
const err4 = {instancePath:instancePath+"/steps",schemaPath:"#/properties/steps/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"integer\",\"format\":\"int64\"}",parentSchema:schema30.properties.steps,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema30.type,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate33.errors = vErrors;
return errors === 0;
}
validate33.evaluated = {"props":{"how":true,"steps":true},"dynamicProps":false,"dynamicItems":false};

exports["#/components/schemas/Lift"] = validate34;

function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate34.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.how === undefined) || (!(func6.call(data, "how")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "how"},message:"must have required property '"+"how"+"'",schema:schema31.required,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const _errs1 = errors;
for(const key0 of Object.keys(data)){
if((((true) && (key0 !== "how")) && (key0 !== "steps")) && (key0 !== "height")){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must be declared",schema:false,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
if(errors - _errs1 > 10){
break;
}
}
}
if(data.how !== undefined && func6.call(data, "how")){
let data0 = data.how;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/how",schemaPath:"#/properties/how/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.how.type,parentSchema:schema31.properties.how,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if("lift" !== data0){
const err3 = {instancePath:instancePath+"/how",schemaPath:"#/properties/how/const",keyword:"const",params:{allowedValue: "lift"},message:"must be equal to constant",schema:"lift",parentSchema:schema31.properties.how,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.steps !== undefined && func6.call(data, "steps")){
let data1 = data.steps;
const violation0 = func48(data1);
if(violation0){
const err4 = {instancePath:instancePath+"/steps",schemaPath:"#/properties/steps/numeric",keyword:"numeric",params:violation0,message:"must be a valid number",schema:"{\"type\":\"number\"}",parentSchema:schema31.properties.steps,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.height !== undefined && func6.call(data, "height")){
let data2 = data.height;
const violation1 = func48(data2);
if(violation1){
const err5 = {instancePath:instancePath+"/height",schemaPath:"#/properties/height/numeric",keyword:"numeric",params:violation1,message:"must be a valid number",schema:"{\"type\":\"number\"}",parentSchema:schema31.properties.height,data:data2};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.type,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate34.errors = vErrors;
return errors === 0;
}
validate34.evaluated = {"props":{"how":true,"steps":true,"height":true},"dynamicProps":false,"dynamicItems":false};

return exports
}
